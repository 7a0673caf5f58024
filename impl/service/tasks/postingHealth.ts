import type { Clock } from 'polgate-protocol/clock.ts'
import type { QueueState } from '../store/postings.ts'

/** How long a due result may wait before posting counts as degraded, milliseconds. */
const patienceMs = 60_000

export type PostingHealth = {
  /** One line with the cause while posting is degraded, else empty. */
  readonly problems: readonly string[]
  /** Results in the queue. */
  readonly waiting: number
  readonly degraded: boolean
}

/** Health of posting, from the queue that all gateways share (decision T10). */
export function postingHealth(state: QueueState, clock: Clock): PostingHealth {
  const { waiting, troubled, error, dueSince } = state
  const late = dueSince !== undefined && clock() - dueSince.getTime() > patienceMs
  const degraded = troubled > 0 || late
  const cause = error ?? `the oldest has been due since ${dueSince?.toISOString()}`
  return {
    problems: degraded ? [`posting is degraded, ${waiting} results waiting: ${cause}`] : [],
    waiting,
    degraded,
  }
}
