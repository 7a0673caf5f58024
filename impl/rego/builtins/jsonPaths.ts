import { LimitError } from '../errors.ts'
import { RegoObject } from '../values/object.ts'
import { RegoSet } from '../values/set.ts'
import {
  isArray,
  isComposite,
  MAX_DEPTH,
  type ObjectValue,
  typeName,
  type Value,
} from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { asCollection, asObject, operandError } from './operands.ts'
import { ANY, ANY_ARRAY, ANY_OBJECT, arrayOf, STRING, setOf, union } from './types.ts'

/** The segments of a JSON Pointer path `a/b~1c`; the leading slash is optional. */
export const splitPath = (path: string): readonly string[] =>
  path === ''
    ? []
    : path
        .replace(/^\/+/, '')
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

function segments(path: Value): readonly Value[] {
  if (typeof path === 'string') return splitPath(path)
  if (isArray(path)) return path
  throw operandError(
    2,
    `must be one of {set, array} containing string paths or array of path segments but got ${typeName(path)}`,
  )
}

/** Paths as a tree; null at the end of a path selects the whole value. */
type Tree = null | ObjectValue

function treeOf(ctx: BuiltinContext, paths: Value): ObjectValue {
  const root = new RegoObject()
  for (const path of asCollection(paths, 2)) {
    const parts = segments(path)
    if (parts.length > MAX_DEPTH)
      throw new LimitError(`paths are longer than ${MAX_DEPTH} segments`)
    ctx.meter.charge(parts.length + 1)
    let node: ObjectValue = root
    for (const [i, part] of parts.entries()) {
      const child = node.get(part)
      if (child === null) break
      if (i === parts.length - 1) node.set(part, null)
      else if (child === undefined) {
        const next = new RegoObject()
        node.set(part, next)
        node = next
      } else node = child as ObjectValue
    }
  }
  return root
}

const branch = (tree: ObjectValue, key: Value): Tree | undefined =>
  tree.get(key) as Tree | undefined

/** Array elements are keyed by the text of their index. */
const branchAt = (tree: ObjectValue, index: number): Tree | undefined => branch(tree, String(index))

type Visit = (value: Value, tree: ObjectValue, depth: number) => Value

/** A copy of a value with `member` applied to its members; undefined removes a member. */
function rebuild(
  ctx: BuiltinContext,
  value: Value,
  tree: ObjectValue,
  depth: number,
  member: (value: Value, tree: Tree | undefined) => Value | undefined,
): Value {
  if (!isComposite(value)) return value
  if (depth > MAX_DEPTH) throw new LimitError(`values nest deeper than ${MAX_DEPTH} levels`)
  const size = isArray(value) ? value.length : value.size
  ctx.meter.charge(size)
  ctx.meter.allocate(size * 24)
  if (isArray(value)) {
    const items: Value[] = []
    value.forEach((item, i) => {
      const kept = member(item, branchAt(tree, i))
      if (kept !== undefined) items.push(kept)
    })
    return items
  }
  if (value.kind === 'set') {
    const set = new RegoSet()
    value.forEach((item) => {
      const kept = member(item, branch(tree, item))
      if (kept !== undefined) set.add(kept)
    })
    return set
  }
  const object = new RegoObject()
  value.forEach((key, item) => {
    const kept = member(item, branch(tree, key))
    if (kept !== undefined) object.set(key, kept)
  })
  return object
}

function filter(ctx: BuiltinContext): Visit {
  const visit: Visit = (value, tree, depth) =>
    rebuild(ctx, value, tree, depth, (item, below) => {
      if (below === undefined) return undefined
      return below === null ? item : visit(item, below, depth + 1)
    })
  return visit
}

function remove(ctx: BuiltinContext): Visit {
  const visit: Visit = (value, tree, depth) =>
    rebuild(ctx, value, tree, depth, (item, below) => {
      if (below === null) return undefined
      return below === undefined ? item : visit(item, below, depth + 1)
    })
  return visit
}

const PATH = union(STRING, ANY_ARRAY)
const PATHS = union(arrayOf(PATH), setOf(PATH))

const byPaths = (name: string, visit: (ctx: BuiltinContext) => Visit): Builtin => ({
  name,
  args: [ANY_OBJECT, PATHS],
  result: ANY,
  keepsWritten: [0],
  call: (ctx, a: Value, b: Value) => visit(ctx)(asObject(a, 1), treeOf(ctx, b), 0),
})

export const jsonPathBuiltins: readonly Builtin[] = [
  byPaths('json.filter', filter),
  byPaths('json.remove', remove),
]
