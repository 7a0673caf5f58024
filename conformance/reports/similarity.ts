import type { CheckFinished } from '../core/events.ts'

/** A gateway with one known fault whose failures are most similar to those of this run. */
export type Similarity = {
  readonly id: string
  /** The fault, in a few words. */
  readonly fault: string
  /** From 0 to 1. */
  readonly match: number
}

/** Finds it by the failed results; undefined if none is similar. */
export type FindSimilarMutant = (failed: readonly CheckFinished[]) => Similarity | undefined
