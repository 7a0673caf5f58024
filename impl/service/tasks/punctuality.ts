import type { Clock } from 'polgate-protocol/clock.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'

export type Punctuality = {
  /** Tells who answered in time and who did not, of those that a phase asked. */
  note(answered: readonly Bytes32[], late: readonly Bytes32[]): void
  /** Whether the others wait less for this one, for now. */
  isTardy(id: Bytes32): boolean
}

/** So often in a row late makes tardy, for so long, milliseconds. */
const strikes = 2
const tardyMs = 30_000

/**
 * Remembers who is late, so that one operator that always is does not cost every task the whole
 * grace. It is still asked, and counts when it answers with the others; after half a minute it is
 * waited for once more.
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
