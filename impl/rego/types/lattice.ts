import { ANY, ANY_OBJECT, BOOLEAN, NULL, NUMBER, STRING, type Type } from '../builtins/types.ts'
import { isArray, type Value } from '../values/value.ts'
import { WrittenNumber } from '../values/writtenNumber.ts'
import { sameKey } from './keys.ts'
import { ELLIPSIS, isSimple, typeText } from './typeText.ts'

/**
 * Operations on types. A type is an upper bound: a value outside the inferred type cannot occur, so
 * an expression on two disjoint types can never hold. Where exactness would be too expensive, the
 * result is `any`.
 */

/** Larger unions become `any`: large tables of literal data are not typed. */
const MAX_MEMBERS = 24
/** Types with more parts become `any`. */
const MAX_SIZE = 1_000
/** Larger arrays and objects have one type for all of their parts. */
const MAX_STATIC = 64

const members = (type: Type): readonly Type[] => (type.kind === 'union' ? type.of : [type])

/** The smallest type here that includes all of them. */
export function join(types: readonly Type[]): Type {
  const [first] = types
  if (types.length === 1 && first !== undefined) return first
  const seen = new Map<string, Type>()
  for (const type of types) {
    for (const member of members(type)) {
      if (member.kind === 'any') return ANY
      const text = typeText(member)
      // Types that are too large are not distinguished.
      if (text.includes(ELLIPSIS) || seen.size >= MAX_MEMBERS) return ANY
      seen.set(text, member)
    }
  }
  const all = [...seen.values()]
  const [one] = all
  if (one === undefined) return ANY
  return all.length === 1 ? one : { kind: 'union', of: all }
}

/** The type of the keys of a value; undefined if it has none. */
export function keysOf(type: Type): Type | undefined {
  switch (type.kind) {
    case 'any':
      return ANY
    case 'array':
      return NUMBER
    case 'set':
      return type.of
    case 'object': {
      const keys = type.static.map(({ key }) => typeOfConstant(key))
      if (type.dynamic !== undefined) keys.push(type.dynamic.key)
      return join(keys)
    }
    case 'union':
      return joinDefined(type.of.map(keysOf))
    default:
      return undefined
  }
}

/** The type of the values under its keys. */
export function valuesOf(type: Type): Type | undefined {
  switch (type.kind) {
    case 'any':
      return ANY
    case 'array':
      return join([...type.static, ...(type.dynamic === undefined ? [] : [type.dynamic])])
    case 'set':
      return type.of
    case 'object': {
      const values = type.static.map(({ value }) => value)
      if (type.dynamic !== undefined) values.push(type.dynamic.value)
      return join(values)
    }
    case 'union':
      return joinDefined(type.of.map(valuesOf))
    default:
      return undefined
  }
}

function joinDefined(types: readonly (Type | undefined)[]): Type | undefined {
  const defined = types.filter((type) => type !== undefined)
  return defined.length === 0 ? undefined : join(defined)
}

/** The type under a constant key; undefined if there is none. */
export function select(type: Type, key: Value): Type | undefined {
  switch (type.kind) {
    case 'any':
      return ANY
    case 'array':
      if (typeof key !== 'number' || !Number.isInteger(key) || key < 0) return undefined
      return type.static[key] ?? type.dynamic
    case 'object': {
      const found = type.static.find((entry) => sameKey(entry.key, key))
      if (found !== undefined) return found.value
      const dynamic = type.dynamic
      return dynamic !== undefined && overlap(dynamic.key, typeOfConstant(key))
        ? dynamic.value
        : undefined
    }
    case 'set': {
      const own = typeOfConstant(key)
      return overlap(type.of, own) ? own : undefined
    }
    case 'union':
      return joinDefined(type.of.map((member) => select(member, key)))
    default:
      return undefined
  }
}

/** Whether a value can be of both types. */
export function overlap(a: Type, b: Type): boolean {
  if (a.kind === 'function' || b.kind === 'function') return false
  if (a.kind === 'any' || b.kind === 'any') return true
  if (a.kind === 'union') return a.of.some((member) => overlap(member, b))
  if (b.kind === 'union') return b.of.some((member) => overlap(a, member))
  if (a.kind === 'array') return b.kind === 'array' && arraysOverlap(a, b)
  if (a.kind === 'object') return b.kind === 'object' && objectsOverlap(a, b)
  if (a.kind === 'set') return b.kind === 'set' && overlap(a.of, b.of)
  return a.kind === b.kind
}

type ArrayType = Extract<Type, { kind: 'array' }>
type ObjectType = Extract<Type, { kind: 'object' }>

function arraysOverlap(a: ArrayType, b: ArrayType): boolean {
  // Each pair is compared once: twice would double the work with each nesting level.
  const length = Math.max(a.static.length, b.static.length)
  for (let i = 0; i < length; i++) {
    const one = a.static[i] ?? a.dynamic
    const other = b.static[i] ?? b.dynamic
    if (one === undefined || other === undefined || !overlap(one, other)) return false
  }
  return a.dynamic === undefined || b.dynamic === undefined || overlap(a.dynamic, b.dynamic)
}

function objectsOverlap(a: ObjectType, b: ObjectType): boolean {
  if (!membersFit(a, b, true) || !membersFit(b, a, false)) return false
  if (a.dynamic === undefined || b.dynamic === undefined) return true
  return overlap(a.dynamic.value, b.dynamic.value)
}

/** Common members are compared in one direction only, for the same reason. */
const membersFit = (one: ObjectType, other: ObjectType, shared: boolean): boolean =>
  one.static.every(({ key, value }) => {
    if (!shared && other.static.some((entry) => sameKey(entry.key, key))) return true
    const against = select(other, key)
    return against !== undefined && overlap(value, against)
  })

/** The type of a constant: exact for composites down to their parts. */
export function typeOfConstant(value: Value): Type {
  switch (typeof value) {
    case 'string':
      return STRING
    case 'number':
    case 'bigint':
      return NUMBER
    case 'boolean':
      return BOOLEAN
    default:
  }
  if (value === null) return NULL
  if (value instanceof WrittenNumber) return NUMBER
  if (isArray(value)) return arrayType(value.map(typeOfConstant))
  if (value.kind === 'set') return { kind: 'set', of: join(value.values().map(typeOfConstant)) }
  return objectType(value.entries().map(([key, of]) => ({ key, value: typeOfConstant(of) })))
}

/** Fewer parts than this are counted again each time. */
const FEW = 8

const sizes = new WeakMap<Type, number>()

/** The number of parts of a type; shared ones count as often as they occur. */
function sizeOf(type: Type): number {
  if (isSimple(type)) return 1
  const known = sizes.get(type)
  if (known !== undefined) return known
  let size = 1
  for (const part of partsOf(type)) size += sizeOf(part)
  // Counting a few parts again is faster than a lookup.
  if (size > FEW) sizes.set(type, size)
  return size
}

function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'array':
      return type.dynamic === undefined ? type.static : [...type.static, type.dynamic]
    case 'object': {
      const values = type.static.map(({ value }) => value)
      return type.dynamic === undefined ? values : [...values, type.dynamic.key, type.dynamic.value]
    }
    case 'set':
      return [type.of]
    case 'union':
      return type.of
    default:
      return []
  }
}

/** A type, or `any` if it has too many parts. */
const sized = (type: Type): Type => (sizeOf(type) > MAX_SIZE ? ANY : type)

/** The type of an array with elements of these types. */
export function arrayType(items: readonly Type[]): Type {
  // The elements of an empty array literal are unknown, as in OPA.
  if (items.length === 0) return { kind: 'array', static: [], dynamic: ANY }
  return items.length <= MAX_STATIC
    ? sized({ kind: 'array', static: items })
    : { kind: 'array', static: [], dynamic: join(items) }
}

/** The type of an object with these members, and others of the type `dynamic`. */
export function objectType(
  members: readonly { readonly key: Value; readonly value: Type }[],
  dynamic?: { readonly key: Type; readonly value: Type },
): Type {
  if (members.length === 0 && dynamic === undefined) return ANY_OBJECT
  const rest = dynamic === undefined ? {} : { dynamic }
  if (members.length <= MAX_STATIC) return sized({ kind: 'object', static: members, ...rest })
  const keys = join([
    ...members.map(({ key }) => typeOfConstant(key)),
    ...(dynamic ? [dynamic.key] : []),
  ])
  const values = join([...members.map(({ value }) => value), ...(dynamic ? [dynamic.value] : [])])
  return { kind: 'object', static: [], dynamic: { key: keys, value: values } }
}
