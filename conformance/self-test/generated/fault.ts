import type { JsonType, Member } from './member.ts'
import { items, typeOf } from './member.ts'
import { echoed, nextTo, type OperatorName, renamed, retyped } from './operators.ts'

/** One operator on one member. */
export type Fault = {
  readonly operator: OperatorName
  readonly member: Member
  /** The sibling that `swap` exchanges the value with. */
  readonly other?: string
}

/** What a fault may know besides the answer. */
export type Around = {
  /** Strings, numbers and booleans of the request. */
  readonly request: readonly unknown[]
  /** The answer before, to another request. */
  readonly previous: unknown
}

type Holder = Record<string, unknown> | unknown[]

function isHolder(value: unknown): value is Holder {
  const type = typeOf(value)
  return type === 'object' || type === 'array'
}

/** The objects and arrays that have the member. */
function holdersOf(root: unknown, path: readonly string[]): readonly Holder[] {
  const inside = path.slice(0, -1).reduce<readonly unknown[]>(
    (values, part) =>
      values.flatMap((value) => {
        if (part === items) return Array.isArray(value) ? value : []
        return isHolder(value) && !Array.isArray(value) ? [value[part]] : []
      }),
    [root],
  )
  const ofItems = path.at(-1) === items
  return inside.filter((each): each is Holder => isHolder(each) && Array.isArray(each) === ofItems)
}

function valueIn(root: unknown, path: readonly string[]): unknown {
  const [holder] = holdersOf(root, path)
  if (holder === undefined) return undefined
  return Array.isArray(holder) ? holder[0] : holder[path.at(-1)!]
}

function replacement(value: unknown, { operator, member }: Fault, around: Around): unknown {
  switch (operator) {
    case 'null':
      return null
    case 'retype':
      return retyped(value)
    case 'off-by-one':
      return nextTo(value, member)
    case 'echo':
      return echoed(value, member, around.request)
    case 'stale': {
      const before = valueIn(around.previous, member.path)
      return before === undefined ? value : before
    }
    default:
      return value
  }
}

function changeMember(holder: Record<string, unknown>, fault: Fault, around: Around): void {
  const name = fault.member.path.at(-1)!
  if (!Object.hasOwn(holder, name)) return
  const value = holder[name]
  if (fault.operator === 'drop') delete holder[name]
  else if (fault.operator === 'rename') {
    delete holder[name]
    holder[renamed(name)] = value
  } else if (fault.operator === 'swap') {
    const other = fault.other!
    if (!Object.hasOwn(holder, other)) return
    holder[name] = holder[other]
    holder[other] = value
  } else holder[name] = replacement(value, fault, around)
}

function changeItems(holder: unknown[], fault: Fault, around: Around): void {
  if (fault.operator === 'drop') holder.shift()
  else if (fault.operator === 'off-by-one' && isHolder(holder[0])) holder.push(holder.at(-1))
  else for (const [at, value] of holder.entries()) holder[at] = replacement(value, fault, around)
}

/**
 * The answer with the fault, wherever it has the member: unchanged where the fault makes no
 * difference. Changes the given answer, which is JSON.
 */
export function withFault<T>(answer: T, fault: Fault, around: Around): T {
  for (const holder of holdersOf(answer, fault.member.path))
    if (Array.isArray(holder)) changeItems(holder, fault, around)
    else changeMember(holder, fault, around)
  return answer
}

const scalar: readonly JsonType[] = ['string', 'number', 'boolean']

/** Whether values of the two members can be mistaken for each other: both scalars of the same form. */
export const alike = (one: Member, other: Member): boolean =>
  one.types.length === 1 &&
  scalar.includes(one.types[0]!) &&
  one.types[0] === other.types[0] &&
  other.types.length === 1 &&
  one.pattern === other.pattern &&
  one.format === other.format &&
  JSON.stringify(one.values) === JSON.stringify(other.values)
