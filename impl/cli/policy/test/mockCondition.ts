import type { OracleRequest } from 'polgate-testing/stack/oracleExchange.ts'
import type { MockReply } from '../../package/mocksSchema.ts'
import { jsonOf } from './mockValues.ts'

type Condition = NonNullable<MockReply['when']>

/**
 * Of the replies of one route those that come one after the other for a request: they have the same condition, the one
 * with most parts of those that hold. None if no condition holds.
 */
export function repliesFor(
  replies: readonly MockReply[],
  request: OracleRequest,
): readonly MockReply[] {
  const best = replies
    .filter(({ when }) => when === undefined || holds(when, request))
    .map(({ when }) => ({ key: keyOf(when), weight: when === undefined ? 0 : weightOf(when) }))
    .reduce<{ key: string; weight: number } | undefined>(
      (found, each) => (found !== undefined && found.weight >= each.weight ? found : each),
      undefined,
    )
  return best === undefined ? [] : replies.filter(({ when }) => keyOf(when) === best.key)
}

/** Equal for replies with the same condition. */
export const keyOf = (when: Condition | undefined): string => JSON.stringify(when ?? null)

function holds({ query = {}, json }: Condition, { url, body }: OracleRequest): boolean {
  const isQuery = Object.entries(query).every(([name, value]) =>
    value === null ? !url.searchParams.has(name) : url.searchParams.getAll(name).includes(value),
  )
  return isQuery && (json === undefined || contains(jsonOf(body), json))
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `{$contains: price(}` is a text with that in it, whatever its white space. */
const partOfText = (wanted: Members): string | undefined =>
  Object.keys(wanted).length === 1 && typeof wanted.$contains === 'string'
    ? wanted.$contains
    : undefined

/** Whether a body has at least the members that are wanted; lists have as many elements. */
function contains(found: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) &&
      found.length === wanted.length &&
      wanted.every((each, at) => contains(found[at], each))
    )
  if (!isObject(wanted)) return found === wanted
  const part = partOfText(wanted)
  if (part !== undefined) return typeof found === 'string' && plain(found).includes(plain(part))
  return (
    isObject(found) &&
    Object.entries(wanted).every(
      ([name, value]) => Object.hasOwn(found, name) && contains(found[name], value),
    )
  )
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** How many values a condition compares. */
function weightOf({ query = {}, json }: Condition): number {
  return 1 + Object.keys(query).length + (json === undefined ? 0 : leavesOf(json))
}

const leavesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, each) => sum + leavesOf(each), 1)
    : 1
