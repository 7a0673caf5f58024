import type { LoopWork } from './loopWatch.ts'

/** Where a hostile server listens. */
export type Place = {
  port: number
  hostPort: string
}

/** What the measured process is asked to do: to run the bombs of a fixture, or none, for a while. */
export type Ask = {
  fixture: string | undefined
  ms: number
}

/** What it saw meanwhile. */
export type Seen = {
  /** Bombs that came to their end. */
  bombs: number
  /** Warm runs of an oracle that does nothing wrong, milliseconds each. */
  neighbour: number[]
  /** Longest time that the event loop was late, milliseconds. */
  loopMaxMs: number
  work: LoopWork
}
