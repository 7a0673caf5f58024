import type { HostRequest, HostResponse } from '../hostFetch.ts'

/** The host's answer to a request of an oracle. */
export type ExchangeAnswer =
  | { readonly kind: 'response'; readonly response: HostResponse }
  /** The `err` text that the guest received: rejected, timed out, too large. */
  | { readonly kind: 'error'; readonly message: string }
  /** The run ended before the answer arrived. */
  | { readonly kind: 'none' }

/** One HTTP exchange of an oracle, from the guest's point of view. */
export type Exchange = {
  /** The oracle of the policy; absent when a single oracle was run. */
  readonly oracle?: string | undefined
  readonly request: HostRequest
  readonly answer: ExchangeAnswer
}

/** The exchanges of one simulation, and the other inputs of its outcome. */
export type Recording = {
  /** The time that oracles and policy saw, unix milliseconds. */
  readonly now: number
  /** Hex: the seed of the guests' random numbers. */
  readonly seed: string
  /** Lower case: headers whose values were not stored and are not compared. */
  readonly redactedHeaders: readonly string[]
  readonly exchanges: readonly Exchange[]
}
