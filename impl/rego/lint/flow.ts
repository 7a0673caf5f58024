/** Where a value comes from: the name of a source of private data, or the position of an argument. */
export type Origin = string | number

/**
 * How much of its origin a value tells: `text` also where the origin is a decision, a `value` as much as the
 * origin itself, a `decision` only what is true or false anyway.
 */
export type Telling = 'decision' | 'value' | 'text'

/** What a value is derived from. */
export type Flow = ReadonlyMap<Origin, Telling>

export const NO_FLOW: Flow = new Map()

export const flowFrom = (origin: Origin): Flow => new Map([[origin, 'value']])

const ORDER: readonly Telling[] = ['decision', 'value', 'text']
const most = (a: Telling | undefined, b: Telling): Telling =>
  a !== undefined && ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b

/** A value that is derived from all of these. */
export function joined(flows: readonly Flow[]): Flow {
  const some = flows.filter(({ size }) => size > 0)
  if (some.length <= 1) return some[0] ?? NO_FLOW
  const all = new Map<Origin, Telling>()
  for (const flow of some) {
    for (const [origin, telling] of flow) all.set(origin, most(all.get(origin), telling))
  }
  return all
}

const told = (flow: Flow, telling: Telling): Flow =>
  new Map([...flow.keys()].map((origin) => [origin, telling]))

/** A boolean that is derived from a value. */
export const asDecision = (flow: Flow): Flow => told(flow, 'decision')

/** A text that is derived from a value. */
export const asText = (flow: Flow): Flow => told(flow, 'text')

/** The flow of a call: that of the function, with the flows of its arguments for their positions. */
export const applied = (flow: Flow, args: readonly Flow[]): Flow =>
  joined(
    [...flow].map(([origin, telling]) => {
      if (typeof origin === 'string') return new Map([[origin, telling]])
      const arg = args[origin] ?? NO_FLOW
      return telling === 'value' ? arg : told(arg, telling)
    }),
  )

/** Whether the first tells all that the second tells. */
export const includes = (flow: Flow, other: Flow): boolean =>
  [...other].every(([origin, telling]) => most(flow.get(origin), telling) === flow.get(origin))

/** The sources of private data that a value tells more of than a decision. */
export const toldSources = (flow: Flow): readonly string[] =>
  [...flow]
    .flatMap(([origin, telling]) =>
      typeof origin === 'string' && telling !== 'decision' ? [origin] : [],
    )
    .sort()
