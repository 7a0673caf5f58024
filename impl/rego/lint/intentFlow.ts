/**
 * What of the intent a value is derived from: `input` or `@0`, an argument, as a whole, one of their members (`input.to`),
 * or any of them (`input.*`). A trailing `=0x` says that nothing but whether it is empty calldata is known.
 */
export type IntentFlow = ReadonlySet<string>

export const NO_INTENT: IntentFlow = new Set()

const WHOLE = /^(input|@\d+)$/
const PARTS = /^@(\d+)(?:\.([^=]*))?(=0x)?$/
const EMPTY_CALLDATA = '=0x'

export const joinedIntent = (flows: readonly IntentFlow[]): IntentFlow =>
  new Set(flows.flatMap((flow) => [...flow]))

/** The flow of a member; of any member if its name is not constant. */
export const memberFlow = (flow: IntentFlow, member: string = '*'): IntentFlow =>
  new Set([...flow].map((origin) => (WHOLE.test(origin) ? `${origin}.${member}` : origin)))

/** The flow of a comparison with empty calldata. */
export const comparedWithEmpty = (flow: IntentFlow): IntentFlow =>
  new Set([...flow].flatMap((origin) => [origin, `${origin}${EMPTY_CALLDATA}`]))

export const withoutEmpty = (flow: IntentFlow): IntentFlow =>
  new Set([...flow].filter((origin) => !origin.endsWith(EMPTY_CALLDATA)))

/** The flow of a call: that of the function, with the flows of its arguments for their positions. */
export const appliedIntent = (flow: IntentFlow, args: readonly IntentFlow[]): IntentFlow =>
  joinedIntent(
    [...flow].map((origin) => {
      const [all, position, member, empty] = PARTS.exec(origin) ?? []
      if (all === undefined) return new Set([origin])
      const arg = args[Number(position)] ?? NO_INTENT
      const part = member === undefined ? arg : memberFlow(arg, member)
      return empty === undefined ? part : comparedWithEmpty(part)
    }),
  )

/** Whether a decision that is derived from it may differ between two targets, or allows no calldata. */
export const restrictsTarget = (flow: IntentFlow): boolean =>
  [...memberFlow(flow)].some((origin) => RESTRICTING.has(origin))

const RESTRICTING: ReadonlySet<string> = new Set([
  ...['input.to', 'input.*', 'input.intent_digest', `input.data${EMPTY_CALLDATA}`],
])

/** Members of an intent by which a policy of intents is known. */
const MEMBERS = ['from', 'value', 'data', 'function', 'function_signature', 'intent_signature']

/** Whether a decision is one about an intent. */
export const readsIntent = (flow: IntentFlow): boolean =>
  MEMBERS.some((member) => flow.has(`input.${member}`))
