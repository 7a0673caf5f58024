import type { HostRequest, HostResponse } from '../hostFetch.ts'

/** How the host answered a request of an oracle. */
export type ExchangeAnswer =
  | { readonly kind: 'response'; readonly response: HostResponse }
  /** The `err` text that the guest was given: refused, too late, too large. */
  | { readonly kind: 'error'; readonly message: string }
  /** The run was over before the answer came. */
  | { readonly kind: 'none' }

/** One HTTP exchange of an oracle, as the guest saw it. */
export type Exchange = {
  /** Which oracle of a policy asked; absent where only one was run. */
  readonly oracle?: string | undefined
  readonly request: HostRequest
  readonly answer: ExchangeAnswer
}

/** Exchanges of one simulation, and what else its outcome depends on. */
export type Recording = {
  /** Unix milliseconds that oracles and policy were shown. */
  readonly now: number
  /** Hex: where the random numbers of the guests come from. */
  readonly seed: string
  /** Lower case: headers whose values were not kept, and are not compared. */
  readonly redactedHeaders: readonly string[]
  readonly exchanges: readonly Exchange[]
}
