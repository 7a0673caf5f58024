import type { Clock } from 'polgate-protocol/clock.ts'
import type { QueueState } from '../store/postings.ts'

/** How long what is due may wait before it counts as trouble, milliseconds. */
const patienceMs = 60_000

export type PostingHealth = {
  /** Why results are not posted as they should be, in a line; none while they are. */
  readonly problems: readonly string[]
  /** Figures in the text format that Prometheus reads. */
  readonly figures: string
}

/** How posting is doing, by the queue that all gateways share (decision T10). */
export function postingHealth(state: QueueState, clock: Clock): PostingHealth {
  const { waiting, troubled, error, dueSince } = state
  const late = dueSince !== undefined && clock() - dueSince.getTime() > patienceMs
  const degraded = troubled > 0 || late
  const cause = error ?? `the oldest has been due since ${dueSince?.toISOString()}`
  return {
    problems: degraded ? [`posting is degraded, ${waiting} results wait: ${cause}`] : [],
    figures: [
      '# TYPE posting_waiting gauge',
      `posting_waiting ${waiting}`,
      '# TYPE posting_degraded gauge',
      `posting_degraded ${degraded ? 1 : 0}`,
      '',
    ].join('\n'),
  }
}
