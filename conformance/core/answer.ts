import type { Exchange } from './exchange.ts'

/** An exchange whose body was read as JSON; `json` is undefined where it is none. */
export type Answer = {
  readonly exchange: Exchange
  readonly status: number
  readonly json: unknown
  /** The id that was sent, to compare with the one that came back. */
  readonly id: unknown
}
