import type { Clock } from 'polgate-protocol/clock.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'

export type Punctuality = {
  /** Records which of the operators called in a phase answered in time. */
  note(answered: readonly Bytes32[], late: readonly Bytes32[]): void
  /** Whether the operator gets a shortened grace period at the moment. */
  isTardy(id: Bytes32): boolean
}

/** Late this many times in a row makes an operator slow, for this many milliseconds. */
const strikes = 2
const tardyMs = 30_000

/**
 * Tracks slow operators, so that an operator that is always late does not cost every task the full
 * grace period. It is still called, and counts when it answers in time; after half a minute it gets
 * the full period once more.
 */
export function createPunctuality({ clock }: { readonly clock: Clock }): Punctuality {
  const lateness = new Map<Bytes32, { readonly times: number; readonly until: number }>()
  const isTardy = (id: Bytes32) => (lateness.get(id)?.until ?? 0) > clock()
  return {
    note(answered, late) {
      for (const id of answered) lateness.delete(id)
      for (const id of late) {
        if (isTardy(id)) continue
        const times = Math.min(strikes, (lateness.get(id)?.times ?? 0) + 1)
        lateness.set(id, { times, until: times === strikes ? clock() + tardyMs : 0 })
      }
    },
    isTardy,
  }
}
