import type { LoopWork } from './loopWatch.ts'

/** Address of a hostile server. */
export type Place = {
  port: number
  hostPort: string
}

/** Request to the measured process: run the attacks of a fixture, or none, for a while. */
export type Ask = {
  fixture: string | undefined
  ms: number
}

/** The result. */
export type Seen = {
  /** Attacks that completed. */
  bombs: number
  /** Warm runs of a normal oracle, milliseconds each. */
  neighbour: number[]
  /** Maximum delay of the event loop, milliseconds. */
  loopMaxMs: number
  work: LoopWork
}
