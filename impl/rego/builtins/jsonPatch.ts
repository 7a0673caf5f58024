import { equal } from '../values/compare.ts'
import { isArray, isComposite, isObject, MAX_DEPTH, type Value } from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { splitPath } from './jsonPaths.ts'
import { asArray } from './operands.ts'
import { ANY, arrayOf, objectOf, STRING } from './types.ts'

/** A patch that does not apply: the result is undefined in both modes. */
class NotApplicable extends Error {}

function no(): never {
  throw new NotApplicable()
}

/** The index of a segment, up to and including `limit`. */
function indexOf(key: Value, limit: number): number {
  const index =
    typeof key === 'string' ? (/^(?:0|[1-9]\d{0,15})$/.test(key) ? Number(key) : no()) : key
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index <= limit
    ? index
    : no()
}

function child(value: Value, key: Value): Value {
  if (!isComposite(value)) return no()
  if (isArray(value)) return value[indexOf(key, value.length - 1)] as Value
  if (value.kind === 'set') return value.has(key) ? key : no()
  return value.has(key) ? (value.get(key) as Value) : no()
}

const lookup = (value: Value, path: readonly Value[]): Value => path.reduce(child, value)

/** The change of the container of the last path segment. */
type Change = (container: Value, key: Value) => Value

/** A copy of `value` with the container at the end of the path changed. */
function change(
  ctx: BuiltinContext,
  value: Value,
  path: readonly Value[],
  apply: Change,
  at = 0,
): Value {
  if (!isComposite(value)) return no()
  const size = isArray(value) ? value.length : value.size
  ctx.meter.charge(size)
  ctx.meter.allocate(size * 24)
  const key = path[at] as Value
  if (at === path.length - 1) return apply(value, key)
  const old = child(value, key)
  const changed = change(ctx, old, path, apply, at + 1)
  if (isArray(value))
    return value.map((item, i) => (i === indexOf(key, value.length) ? changed : item))
  if (value.kind === 'object') return value.copy().set(key, changed)
  const members = value.copy()
  members.delete(old)
  return members.add(changed)
}

const without: Change = (container, key) => {
  if (!isComposite(container)) return no()
  child(container, key)
  if (isArray(container)) {
    const index = indexOf(key, container.length - 1)
    return container.filter((_, i) => i !== index)
  }
  const copy = container.copy()
  copy.delete(key)
  return copy
}

const inserting =
  (value: Value): Change =>
  (container, key) => {
    if (!isComposite(container)) return no()
    if (isArray(container)) {
      const index = key === '-' ? container.length : indexOf(key, container.length)
      return [...container.slice(0, index), value, ...container.slice(index)]
    }
    if (container.kind === 'object') return container.copy().set(key, value)
    // A set member is its own key.
    return equal(key, value) ? container.copy().add(value) : no()
  }

function pathAt(operation: Value, name: 'path' | 'from'): readonly Value[] {
  const path = isObject(operation) ? operation.get(name) : undefined
  if (path === undefined) return no()
  const parts = typeof path === 'string' ? splitPath(path) : isArray(path) ? path : no()
  return parts.length <= MAX_DEPTH ? parts : no()
}

function applyOne(
  ctx: BuiltinContext,
  document: Value | undefined,
  operation: Value,
): Value | undefined {
  if (!isObject(operation)) return no()
  const path = pathAt(operation, 'path')
  const value = (): Value => {
    const given = operation.get('value')
    return given === undefined ? no() : given
  }
  const target = (): Value => (document === undefined ? no() : document)
  const insert = (into: Value | undefined, what: Value): Value =>
    path.length === 0 ? what : change(ctx, into === undefined ? no() : into, path, inserting(what))
  const remove = (from: readonly Value[]): Value | undefined => {
    const whole = target()
    return from.length === 0 ? undefined : change(ctx, whole, from, without)
  }
  switch (operation.get('op')) {
    case 'add':
      return insert(document, value())
    case 'remove':
      return remove(path)
    case 'replace':
      lookup(target(), path)
      return insert(remove(path), value())
    case 'move': {
      const from = pathAt(operation, 'from')
      const moved = lookup(target(), from)
      return insert(remove(from), moved)
    }
    case 'copy':
      return insert(document, lookup(target(), pathAt(operation, 'from')))
    case 'test':
      return equal(lookup(target(), path), value()) ? document : no()
    default:
      return no()
  }
}

/** JSON Patch (RFC 6902), with arrays as paths and set members as keys. */
function patch(ctx: BuiltinContext, a: Value, b: Value): Value | undefined {
  let document: Value | undefined = a
  try {
    for (const operation of asArray(b, 2)) document = applyOne(ctx, document, operation)
  } catch (error) {
    if (error instanceof NotApplicable) return undefined
    throw error
  }
  return document
}

export const jsonPatchBuiltins: readonly Builtin[] = [
  {
    name: 'json.patch',
    args: [ANY, arrayOf(objectOf(ANY, ANY, { op: STRING, path: ANY }))],
    result: ANY,
    // A path with an index such as 1.0 does not apply.
    keepsWritten: [0, 1],
    call: patch,
  },
]
