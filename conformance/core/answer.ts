import type { Exchange } from './exchange.ts'

/** An exchange with its body parsed as JSON; `json` is undefined if it is not JSON. */
export type Answer = {
  readonly exchange: Exchange
  readonly status: number
  readonly json: unknown
  /** The id that was sent, to compare with the received one. */
  readonly id: unknown
}
