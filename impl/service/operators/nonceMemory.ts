export type NonceMemory = {
  /** Remembers a nonce. False for one that was seen before, `full` when there is no room for more. */
  add(nonce: string, now: number): boolean | 'full'
}

/**
 * Nonces of the last while. Only signed requests get here, so the bound is met by a gateway that
 * floods, and by nobody else.
 */
export function createNonceMemory({
  keepSeconds,
  most = 200_000,
}: {
  readonly keepSeconds: number
  readonly most?: number
}): NonceMemory {
  // In the order of arrival, which is that of forgetting.
  const seen = new Map<string, number>()
  return {
    add(nonce, now) {
      for (const [old, at] of seen) {
        if (at + keepSeconds >= now) break
        seen.delete(old)
      }
      if (seen.has(nonce)) return false
      if (seen.size >= most) return 'full'
      seen.set(nonce, now)
      return true
    },
  }
}
