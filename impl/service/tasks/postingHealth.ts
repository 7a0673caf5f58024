import type { Clock } from 'polgate-protocol/clock.ts'
import type { QueueState } from '../store/postings.ts'

/** How long a due result may wait before posting counts as degraded, milliseconds. */
const patienceMs = 60_000

export type PostingHealth = {
  /** A line with the cause while posting is degraded, and one for each gas burner. */
  readonly problems: readonly string[]
  /** Results in the queue. */
  readonly waiting: number
  readonly degraded: boolean
  /** Those whose results are posted apart from others, or refused: at most some. */
  readonly gasBurners: number
}

/** Health of posting, from the queue that all gateways share (decision T10). */
export function postingHealth(state: QueueState, clock: Clock): PostingHealth {
  const { waiting, troubled, error, dueSince, gasBurners } = state
  const late = dueSince !== undefined && clock() - dueSince.getTime() > patienceMs
  const degraded = troubled > 0 || late
  const cause = error ?? `the oldest has been due since ${dueSince?.toISOString()}`
  return {
    problems: [
      ...(degraded ? [`posting is degraded, ${waiting} results waiting: ${cause}`] : []),
      ...gasBurners.map(
        ({ subject, transactions, burntAt }) =>
          `${subject}: posted apart from others until a day after ${burntAt.toISOString()}, as it burnt the gas of ${transactions} transactions`,
      ),
    ],
    waiting,
    degraded,
    gasBurners: gasBurners.length,
  }
}
