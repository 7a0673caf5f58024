import fc from 'fast-check'
import type { ChaosFault } from './chaos.ts'

/**
 * A connection fault, small enough that a task with a timeout of a second or two can survive it.
 */
export const anyChaosFault = (): fc.Arbitrary<ChaosFault> =>
  fc.oneof(
    fc.record({
      kind: fc.constant('late' as const),
      ms: fc.integer({ min: 0, max: 120 }),
      jitterMs: fc.integer({ min: 0, max: 120 }),
    }),
    fc.record({
      kind: fc.constant('status' as const),
      status: fc.constantFrom(500, 502, 503, 504, 429, 404),
    }),
    fc.record({ kind: fc.constant('drip' as const), everyMs: fc.integer({ min: 1, max: 5 }) }),
    fc.constantFrom<ChaosFault>(
      { kind: 'dropped' },
      { kind: 'reset' },
      { kind: 'garbage' },
      { kind: 'black-hole' },
      { kind: 'twice' },
      { kind: 'doubled' },
    ),
  )

export type FaultyLink = {
  readonly link: string
  readonly trouble: ChaosFault
  readonly share: number
}

/** Some of these links, each with a separate fault that affects some of the requests. */
export const anyChaos = (links: readonly string[]): fc.Arbitrary<readonly FaultyLink[]> =>
  fc.subarray([...links], { minLength: 1 }).chain((some) =>
    fc.tuple(
      ...some.map((link) =>
        fc.record({
          link: fc.constant(link),
          trouble: anyChaosFault(),
          share: fc.constantFrom(0.15, 0.4, 1),
        }),
      ),
    ),
  )
