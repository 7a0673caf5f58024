import type { TaskUpdate } from '../generated/rpcTypes.ts'

export const isFinal = ({ event }: Pick<TaskUpdate, 'event'>): boolean =>
  event === 'success' || event === 'failure'

const order = ['pending', 'processing', 'success', 'failed', 'timeout'] as const

/** What a state consists of; each number only grows while a task lives. */
const ranks = ({ data }: TaskUpdate): readonly number[] => [
  data.progress,
  data.operator_responses.length,
  Math.min(order.indexOf(data.status), 2),
]

/**
 * Which updates are news after a reconnection. A subscriber first receives the latest state, which
 * it may know, and which may be older than what it knows when another gateway reports it. States
 * are cumulative: one that is not ahead in anything is skipped, and nothing is lost.
 */
export function createNewerUpdates() {
  let last: readonly number[] | undefined
  let over = false
  return (update: TaskUpdate, resumed: boolean): boolean => {
    if (over) return false
    const now = ranks(update)
    const isNews =
      !resumed || last === undefined || isFinal(update) || now.some((rank, at) => rank > last![at]!)
    if (!isNews) return false
    over = isFinal(update)
    last = last === undefined ? now : now.map((rank, at) => Math.max(rank, last![at]!))
    return true
  }
}
