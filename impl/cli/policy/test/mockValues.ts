import type { JsonValue, OracleRequest } from 'polgate-testing/stack/oracleExchange.ts'

/** What a reply depends on. */
export type ReplyContext = {
  /** Milliseconds. */
  readonly now: number
  readonly request: Pick<OracleRequest, 'body'>
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const unitMs: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 },
}
const forms: Readonly<Record<string, (ms: number) => JsonValue>> = {
  seconds: (ms) => Math.floor(ms / 1_000),
  milliseconds: (ms) => ms,
  iso: (ms) => new Date(ms).toISOString(),
}
/** Far from the times that dates can have. */
const maxOffsetMs = 1e14

/** Milliseconds of `-10`, in seconds, or `-10s`, `+1500ms`, `2h`; undefined for anything else. */
function offsetMs(value: unknown): number | undefined {
  const [, count, unit = ''] =
    typeof value === 'string' ? (/^([+-]?\d{1,15})(ms|s|m|h|d)$/.exec(value) ?? []) : []
  const ms =
    typeof value === 'number' ? value * 1_000 : Number(count) * (unitMs[unit] ?? Number.NaN)
  return Math.abs(ms) <= maxOffsetMs ? ms : undefined
}

const special = ['$now', '$as', '$request']

/** What is wrong with the values that are computed in a body; undefined if nothing is. */
export function valueFault(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(valueFault).find((fault) => fault !== undefined)
  if (!isObject(value)) return undefined
  const names = Object.keys(value)
  if (!names.some((name) => special.includes(name)))
    return Object.values(value)
      .map(valueFault)
      .find((fault) => fault !== undefined)
  if (names.some((name) => !special.includes(name)) || ('$request' in value && names.length > 1))
    return `${names.join(', ')} do not belong together`
  if ('$request' in value)
    return typeof value.$request === 'string' && /^(\/|$)/.test(value.$request)
      ? undefined
      : '$request must be a JSON pointer into the body of the request, such as /id'
  if (offsetMs(value.$now) === undefined)
    return '$now must be a number of seconds, or a text such as -10s, 1500ms, 2h'
  return value.$as === undefined || Object.hasOwn(forms, String(value.$as))
    ? undefined
    : `$as must be one of ${Object.keys(forms).join(', ')}`
}

/**
 * A body with its computed values: `{$now: -10}` is the time ten seconds ago, in unix seconds; `{$now: -10s, $as: iso}` the
 * same as text; `{$request: /id}` a part of the body of the request, null if it has none.
 */
export function computed(value: unknown, context: ReplyContext): JsonValue {
  if (Array.isArray(value)) return value.map((each) => computed(each, context))
  if (!isObject(value)) return value as JsonValue
  const isComputed = Object.keys(value).every((name) => special.includes(name))
  if (isComputed && '$request' in value) return partOf(context.request.body, String(value.$request))
  const ms = isComputed ? offsetMs(value.$now) : undefined
  const form = forms[String(value.$as ?? 'seconds')]
  if (ms !== undefined && form !== undefined) return form(context.now + ms)
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, computed(each, context)]),
  )
}

function partOf(body: string, pointer: string): JsonValue {
  let part = jsonOf(body)
  for (const name of pointer.split('/').slice(1).map(unescaped))
    part =
      typeof part === 'object' && part !== null && Object.hasOwn(part, name)
        ? Reflect.get(part, name)
        : null
  return (part ?? null) as JsonValue
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** Undefined for a body that is not JSON. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
