import { LimitError } from '../errors.ts'
import { RegoSet } from '../values/set.ts'
import {
  isArray,
  isComposite,
  isSet,
  MAX_DEPTH,
  type ObjectValue,
  type SetValue,
  type Value,
} from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { asObject, wrongType } from './operands.ts'
import { ANY, ANY_ARRAY, ANY_SET, arrayOf, objectOf, setOf, tuple, union } from './types.ts'

/** The vertices in an array or set; other values have none. */
const vertices = (value: Value): readonly Value[] =>
  isArray(value) ? value : isSet(value) ? value.values() : []

function start(value: Value): readonly Value[] {
  if (!isArray(value) && !isSet(value)) throw wrongType(2, value, '{array, set}')
  return vertices(value)
}

function reachable(ctx: BuiltinContext, a: Value, b: Value): Value {
  const graph = asObject(a, 1)
  const queue = [...start(b)]
  const reached = new RegoSet()
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    const edges = graph.get(node)
    if (edges === undefined || reached.has(node)) continue
    reached.add(node)
    const next = vertices(edges)
    ctx.meter.charge(next.length + 1)
    ctx.meter.allocate(next.length * 8 + 32)
    for (const vertex of next) if (!reached.has(vertex)) queue.push(vertex)
  }
  return reached
}

/**
 * The paths from a vertex to dead ends or visited vertices. Visited vertices are shared between
 * branches, as in OPA.
 */
class PathFinder {
  readonly found = new RegoSet()
  private readonly ctx: BuiltinContext
  private readonly graph: ObjectValue

  constructor(ctx: BuiltinContext, graph: ObjectValue) {
    this.ctx = ctx
    this.graph = graph
  }

  from(vertex: Value): void {
    const edges = this.graph.get(vertex)
    if (edges === undefined) return
    const next = vertices(edges)
    if (next.length === 0) this.add([vertex])
    for (const neighbor of next) this.walk(neighbor, [vertex], RegoSet.from([vertex]))
  }

  private add(path: readonly Value[]): void {
    this.ctx.meter.charge(path.length)
    this.ctx.meter.allocate(path.length * 32)
    this.found.add(path)
  }

  private walk(vertex: Value, before: readonly Value[], passed: SetValue): void {
    if (before.length > MAX_DEPTH)
      throw new LimitError(`paths are longer than ${MAX_DEPTH} vertices`)
    const edges = this.graph.get(vertex)
    if (edges === undefined || passed.has(vertex)) {
      this.add(before)
      return
    }
    const path = [...before, vertex]
    const next = vertices(edges)
    this.ctx.meter.charge(path.length + next.length)
    if (next.length === 0) this.add(path)
    for (const neighbor of next) {
      if (passed.has(neighbor)) this.add(path)
      else {
        passed.add(vertex)
        this.walk(neighbor, path, passed)
      }
    }
  }
}

function reachablePaths(ctx: BuiltinContext, a: Value, b: Value): Value {
  const finder = new PathFinder(ctx, asObject(a, 1))
  for (const vertex of start(b)) finder.from(vertex)
  return finder.found
}

/** Every value inside a value with its path, starting with the whole. */
function* walk(ctx: BuiltinContext, value: Value, path: readonly Value[] = []): Generator<Value> {
  if (path.length > MAX_DEPTH) throw new LimitError(`values nest deeper than ${MAX_DEPTH} levels`)
  ctx.meter.charge(1 + path.length)
  ctx.meter.allocate(32 + 8 * path.length)
  yield [path, value]
  if (!isComposite(value)) return
  if (isArray(value)) {
    for (const [i, item] of value.entries()) yield* walk(ctx, item, [...path, i])
  } else if (value.kind === 'set') {
    for (const member of value.values()) yield* walk(ctx, member, [...path, member])
  } else {
    for (const [key, item] of value.entries()) yield* walk(ctx, item, [...path, key])
  }
}

const VERTICES = union(ANY_ARRAY, ANY_SET)
const GRAPH = objectOf(ANY, VERTICES)

export const graphBuiltins: readonly Builtin[] = [
  { name: 'graph.reachable', args: [GRAPH, VERTICES], result: setOf(ANY), call: reachable },
  {
    name: 'graph.reachable_paths',
    args: [GRAPH, VERTICES],
    result: setOf(ANY_ARRAY),
    call: reachablePaths,
  },
  {
    name: 'walk',
    args: [ANY],
    result: tuple(arrayOf(ANY), ANY),
    relation: true,
    keepsWritten: [0],
    call: (ctx, a: Value) => [...walk(ctx, a)],
    relate: (ctx, a: Value) => walk(ctx, a),
  },
]
