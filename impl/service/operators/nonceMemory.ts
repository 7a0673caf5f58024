export type NonceMemory = {
  /** Stores a nonce. Returns false if it was seen before, `full` if there is no space. */
  add(nonce: string, now: number): boolean | 'full'
}

/**
 * Recent nonces. Only correctly signed requests get here, so only a flooding gateway can fill it.
 */
export function createNonceMemory({
  keepSeconds,
  most = 200_000,
}: {
  readonly keepSeconds: number
  readonly most?: number
}): NonceMemory {
  // In insertion order, which is the order of expiry.
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
