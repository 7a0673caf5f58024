/** A nonce that may be `forgotten` is of a time of which nonces are no longer remembered. */
export type NonceState = 'fresh' | 'replayed' | 'forgotten' | 'full'

export type NonceMemory = {
  /**
   * Stores a nonce that is fresh.
   *
   * @param created time of its request by the wall clock, seconds
   * @param now by a clock that does not jump, seconds
   */
  add(nonce: string, created: number, now: number): NonceState
}

/**
 * Recent nonces. Only correctly signed requests get here, so only a flooding gateway can fill it.
 * Requests as old as one whose nonce is forgotten are not fresh, even after the wall clock went back.
 */
export function createNonceMemory({
  keepSeconds,
  since = Number.NEGATIVE_INFINITY,
  most = 200_000,
}: {
  readonly keepSeconds: number
  /** Nonces of requests created earlier are not known. */
  readonly since?: number
  readonly most?: number
}): NonceMemory {
  // In insertion order, which is the order of expiry.
  const seen = new Map<string, { readonly created: number; readonly at: number }>()
  let knownFrom = since
  return {
    add(nonce, created, now) {
      for (const [old, known] of seen) {
        if (known.at + keepSeconds >= now) break
        seen.delete(old)
        knownFrom = Math.max(knownFrom, known.created + 1)
      }
      if (seen.has(nonce)) return 'replayed'
      if (created < knownFrom) return 'forgotten'
      if (seen.size >= most) return 'full'
      seen.set(nonce, { created, at: now })
      return 'fresh'
    },
  }
}
