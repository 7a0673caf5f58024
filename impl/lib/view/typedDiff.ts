/** The types of JSON. */
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** Members and indexes from the root of a JSON value; empty for the root itself. */
export type JsonPath = readonly (string | number)[]

/** One place at which two JSON values differ. */
export type Difference = { readonly path: JsonPath } & (
  | { readonly kind: 'missing'; readonly expected: unknown }
  | { readonly kind: 'extra'; readonly observed: unknown }
  /** Both have it, with another type (`type`) or with another value of the same type (`value`). */
  | { readonly kind: 'type' | 'value'; readonly expected: unknown; readonly observed: unknown }
)

/** The type of a JSON value. Throws `TypeError` for what JSON cannot contain. */
export function jsonType(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  if (type === 'boolean' || type === 'number' || type === 'string' || type === 'object') return type
  throw new TypeError(`a JSON value has no ${type}: pass what JSON.parse returned`)
}

/** Own members only: a value may have one called `toString`. */
function membersOf(value: object): ReadonlyMap<string | number, unknown> {
  return Array.isArray(value) ? new Map(value.entries()) : new Map(Object.entries(value))
}

/** From the end to the root: paths of deep values share their beginnings. */
type Step = { readonly key: string | number; readonly above: Step | undefined }

function pathOf(last: Step | undefined): JsonPath {
  const path: (string | number)[] = []
  for (let step = last; step !== undefined; step = step.above) path.push(step.key)
  return path.reverse()
}

type Pair = {
  readonly at: Step | undefined
  /** Absent where only the other side has the member. */
  readonly expected?: { readonly value: unknown }
  readonly observed?: { readonly value: unknown }
}

/** The members of two objects or two arrays: in the order of the expected one, then what only the other has. */
function pairsIn(expected: object, observed: object, above: Step | undefined): readonly Pair[] {
  const was = membersOf(expected)
  const is = membersOf(observed)
  return [...new Set([...was.keys(), ...is.keys()])].map((key) => ({
    at: { key, above },
    ...(was.has(key) ? { expected: { value: was.get(key) } } : {}),
    ...(is.has(key) ? { observed: { value: is.get(key) } } : {}),
  }))
}

/**
 * Where two JSON values differ, in the order of the expected one: what is missing, what is there in
 * addition, what has another type, what has another value. Empty if and only if they are equal; the order
 * of members does not matter. Elements of arrays are compared by index. Any depth is compared: the walk
 * does not recurse.
 *
 * Throws `TypeError` for what JSON cannot contain.
 */
export function typedDiff(expected: unknown, observed: unknown): readonly Difference[] {
  const found: Difference[] = []
  const left: Pair[] = [
    { at: undefined, expected: { value: expected }, observed: { value: observed } },
  ]
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const { at, expected: was, observed: is } = pair
    if (was === undefined) found.push({ path: pathOf(at), kind: 'extra', observed: is?.value })
    else if (is === undefined)
      found.push({ path: pathOf(at), kind: 'missing', expected: was.value })
    else {
      const type = jsonType(was.value)
      const both = { expected: was.value, observed: is.value }
      if (type !== jsonType(is.value)) found.push({ path: pathOf(at), kind: 'type', ...both })
      else if (type === 'array' || type === 'object')
        for (const inner of pairsIn(was.value as object, is.value as object, at).toReversed())
          left.push(inner)
      else if (was.value !== is.value) found.push({ path: pathOf(at), kind: 'value', ...both })
    }
  }
  return found
}

/** A copy of an object or array, with a member set as JSON.parse sets it: also one called `__proto__`. */
function setMember(target: object, key: string | number, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  })
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...value]
  if (typeof value !== 'object' || value === null) return value
  const copy = {}
  for (const [key, member] of Object.entries(value)) setMember(copy, key, member)
  return copy
}

/** The observed value, from the expected one and the differences between them; neither is changed. */
export function applyDiff(expected: unknown, differences: readonly Difference[]): unknown {
  const root = { value: expected }
  const copied = new Set<unknown>([root])
  /** The container of the last step, copied on the way there. */
  function containerOf(path: JsonPath): readonly [container: object, key: string | number] {
    let container: object = root
    let key: string | number = 'value'
    for (const next of path) {
      const members = container as Record<string | number, unknown>
      let inner = members[key]
      if (!copied.has(inner)) {
        inner = copyOf(inner)
        copied.add(inner)
        setMember(container, key, inner)
      }
      container = inner as object
      key = next
    }
    return [container, key]
  }
  for (const difference of differences) {
    const [container, key] = containerOf(difference.path)
    if (difference.kind !== 'missing') setMember(container, key, difference.observed)
    // Elements that are missing are the last ones.
    else if (Array.isArray(container)) container.length = Math.min(container.length, Number(key))
    else delete (container as Record<string | number, unknown>)[key]
  }
  return root.value
}

const plainName = /^[a-zA-Z_][\w-]*$/

/** A path as people write it: `$.error.data[1]["a b"]`. */
export const pathText = (path: JsonPath): string =>
  path.reduce<string>(
    (text, key) =>
      typeof key === 'number'
        ? `${text}[${key}]`
        : plainName.test(key)
          ? `${text}.${key}`
          : `${text}[${JSON.stringify(key)}]`,
    '$',
  )
