import type { Bytes32 } from '../protocol/scalars.ts'

export type SignedResponses = {
  /** Remembers what is signed for a task; false where something else was signed for it before. */
  admit(taskId: Bytes32, digest: Bytes32): boolean
}

/**
 * One response a task, for good: two signed ones are what a challenge shows against those who signed
 * both (decision C13), and a gateway that wants an operator's stake would ask for just that.
 *
 * No honest gateway asks twice with different data. A task that failed is another task when it is
 * sent again, as its nonce counts all before it (decisions T2, T4), and so is one that a restart cut
 * off. A gateway that lost its store begins to count anew: its first try is refused here, and counts,
 * so that the next one passes. The same response may be asked for again.
 *
 * In memory: an operator that is restarted has forgotten. The oldest are forgotten first; the bound is
 * far above the tasks of a challenge's window.
 */
export function createSignedResponses(most = 100_000): SignedResponses {
  const signed = new Map<string, Bytes32>()
  return {
    admit(taskId, digest) {
      const key = taskId.toLowerCase()
      const before = signed.get(key)
      if (before !== undefined) return before === digest
      signed.set(key, digest)
      for (const old of signed.keys()) {
        if (signed.size <= most) break
        signed.delete(old)
      }
      return true
    },
  }
}
