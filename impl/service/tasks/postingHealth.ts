import type { Clock } from 'polgate-protocol/clock.ts'
import type { QueueState } from '../store/postings.ts'

/** How long what is due may wait before it counts as trouble, milliseconds. */
const patienceMs = 60_000

export type PostingHealth = {
  /** Why results are not posted as they should be, in a line; none while they are. */
  readonly problems: readonly string[]
  /** Results in the queue. */
  readonly waiting: number
  readonly degraded: boolean
}

/** How posting is doing, by the queue that all gateways share (decision T10). */
export function postingHealth(state: QueueState, clock: Clock): PostingHealth {
  const { waiting, troubled, error, dueSince } = state
  const late = dueSince !== undefined && clock() - dueSince.getTime() > patienceMs
  const degraded = troubled > 0 || late
  const cause = error ?? `the oldest has been due since ${dueSince?.toISOString()}`
  return {
    problems: degraded ? [`posting is degraded, ${waiting} results wait: ${cause}`] : [],
    waiting,
    degraded,
  }
}
