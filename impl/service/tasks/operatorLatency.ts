import type { Clock } from 'polgate-protocol/clock.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'

export type OperatorLatency = {
  /** Records which of the operators called in a phase answered in time. */
  note(answered: readonly Bytes32[], late: readonly Bytes32[]): void
  /** Whether the operator gets a shortened grace period at the moment. */
  isSlow(id: Bytes32): boolean
}

/** Late this many times in a row makes an operator slow, for this many milliseconds. */
const strikes = 2
const slowMs = 30_000

/**
 * Tracks slow operators, so that an operator that is always late does not cost every task the full
 * grace period. It is still called, and counts when it answers in time; after half a minute it gets
 * the full period once more.
 */
export function createOperatorLatency({ clock }: { readonly clock: Clock }): OperatorLatency {
  const latency = new Map<Bytes32, { readonly times: number; readonly until: number }>()
  const isSlow = (id: Bytes32) => (latency.get(id)?.until ?? 0) > clock()
  return {
    note(answered, late) {
      for (const id of answered) latency.delete(id)
      for (const id of late) {
        if (isSlow(id)) continue
        const times = Math.min(strikes, (latency.get(id)?.times ?? 0) + 1)
        latency.set(id, { times, until: times === strikes ? clock() + slowMs : 0 })
      }
    },
    isSlow,
  }
}
