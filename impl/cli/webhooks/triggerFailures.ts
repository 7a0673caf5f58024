import { obstacle, type ProvokedStack, provocations } from 'polgate-local/webhooks/provocations.ts'
import {
  type SentNotification,
  sendFailing,
  triggerFailure,
} from 'polgate-local/webhooks/triggerFailure.ts'
import { FailureType } from 'polgate-protocol/notification.ts'
import { colours } from '../colours.ts'
import { CommandError } from '../commandDefinition.ts'
import { controlRequest } from '../controlRequest.ts'
import { printable } from '../policy/notes.ts'
import { untilInterrupted } from '../rego/watch.ts'
import { withClientErrors } from '../stack/asCommandFailure.ts'
import { clientOf, findTarget, type ServiceTarget } from '../stack/serviceTarget.ts'
import { accountNames, addressNamed, clientAddress, intentOf } from '../task/intentOptions.ts'
import { deliveryOf } from './deliveryOf.ts'

export type TriggerOptions = {
  readonly target?: string
  readonly json?: boolean
  readonly client?: string
  readonly to?: string
}

export const failureTypes: readonly FailureType[] = FailureType.anyOf.map((each) => each.const)

type Hex = `0x${string}`

type Outcome = {
  readonly type: FailureType
  readonly shown: string
  readonly taskId?: string | undefined
  /** What the webhook of the key was sent. */
  readonly notification?: SentNotification | undefined
  /** Why it was not tried. */
  readonly refused?: string | undefined
}

/**
 * `polgate webhooks trigger`: makes tasks fail for real, and prints what was sent. Exit code 1 if a failure did not
 * happen, had another type, or its delivery failed; 2 if one cannot be brought about here.
 *
 * @throws CommandError
 */
export async function triggerFailures(
  type: FailureType | 'all',
  options: TriggerOptions,
): Promise<void> {
  const target = await findTarget(options.target)
  const types = type === 'all' ? failureTypes : [type]
  const trapping = clientNamed(target, 'trapping-oracle')
  const stack = provoked(target)
  const policyClient = clientAddress(target, options.client ?? 'allow-list')
  const outcomes: Outcome[] = []
  // Interrupted, what was changed is undone before the process ends.
  const signal = untilInterrupted()
  for (const each of types) {
    if (signal.aborted) break
    const { shown, needs } = provocations[each]
    const refused = obstacle({ needs }, stack, trapping)
    if (refused !== undefined && type !== 'all')
      throw new CommandError(`${each} cannot be triggered here`, { hint: refused })
    const outcome =
      refused === undefined
        ? await trigger(each, target, options, { stack, policyClient, trapping, signal })
        : { type: each, shown, refused }
    outcomes.push(outcome)
    if (!options.json) print(outcome)
  }
  if (options.json) console.log(JSON.stringify(outcomes))
  if (outcomes.some(({ refused }) => refused !== undefined)) process.exitCode = 2
  else if (outcomes.some(isUnexpected))
    process.exitCode = 1
}

const clientNamed = ({ clients }: ServiceTarget, name: string): Hex | undefined =>
  Object.hasOwn(clients, name) ? (clients[name]?.policyClient as Hex) : undefined

const isUnexpected = ({ type, notification }: Outcome): boolean =>
  notification?.type !== type ||
  notification.outcome === 'refused' ||
  notification.outcome === 'exhausted'

/** The stack of a target, and its listeners. */
function provoked({ stack }: ServiceTarget): ProvokedStack | undefined {
  if (stack === undefined) return undefined
  const { controlUrl, chaosUrl } = stack
  return {
    ...stack,
    control: (path, init) => controlRequest(controlUrl, path, init),
    ...(chaosUrl === undefined
      ? {}
      : { chaos: (path: string, init?: RequestInit) => controlRequest(chaosUrl, path, init) }),
  }
}

async function trigger(
  type: FailureType,
  target: ServiceTarget,
  { to }: TriggerOptions,
  means: {
    readonly stack: ProvokedStack | undefined
    readonly policyClient: Hex
    readonly trapping: Hex | undefined
    readonly signal: AbortSignal
  },
): Promise<Outcome> {
  const sent = await triggerFailure(type, {
    ...means,
    send: (task) => {
      const { policyClient } = task
      const recipient =
        to === undefined ? policyClient : addressNamed('--to', to, accountNames(target))
      const intent = intentOf(target, { to: recipient })
      return withClientErrors(() => sendFailing(clientOf(target), intent, task))
    },
    notificationOf: (taskId, until) => deliveryOf(target, taskId, until, means.signal),
  })
  return { type, shown: provocations[type].shown, ...sent }
}

function print(outcome: Outcome): void {
  const { type, shown, taskId, notification, refused } = outcome
  const { green, red, yellow, dim } = colours(process.stdout)
  if (refused !== undefined) {
    console.log(`${yellow('skipped')}  ${type}: ${refused}`)
    return
  }
  console.log(
    `${isUnexpected(outcome) ? red('failed ') : green('sent   ')}  ${type}: ${shown}`,
  )
  const why = notification === undefined ? '' : `: ${printable(notification.message.slice(0, 300))}`
  console.log(dim(`         task ${taskId}${why}`))
  console.log(`         ${printable(summaryOf(notification, type))}`)
}

function summaryOf(notification: SentNotification | undefined, type: FailureType): string {
  if (notification === undefined) return 'no notification followed'
  const { type: found, id, attempts, outcome, lastError } = notification
  const other = found === type ? '' : `notified as ${found.slice(0, 60)}; `
  const times = `after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
  const why = lastError === null ? '' : `: ${lastError}`
  const ends = {
    delivered: `delivered ${times}`,
    refused: `refused by the receiver${why}`,
    exhausted: `given up ${times}${why}`,
    unwanted: 'not delivered: this key has no webhook that wants it',
    pending: `not delivered yet, ${times}${why}`,
    unknown: 'sent to subscribers; only a local stack reports deliveries',
  }
  return `${other}notification ${id.slice(0, 60)}: ${ends[outcome]}`
}
