import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { OperatorResponse } from 'polgate-protocol/taskUpdate.ts'
import type { TaskDeps } from './taskDeps.ts'

/** Most tasks end before this, and then their end is the only write. */
const keepAfterMs = 250

/**
 * Stores what operators answer while a task goes on, so that whoever subscribes late at another
 * gateway, or goes on with the task after a restart, knows it (decision W4). Answers that come close
 * together are one write; one that fails is made up for by the next, or by the end of the task.
 *
 * @returns a function that stops it
 */
export function keepResponses(
  { store, updates, log }: Pick<TaskDeps, 'store' | 'updates' | 'log'>,
  { id, carrier }: { readonly id: Bytes32; readonly carrier: string },
): () => void {
  let latest: readonly OperatorResponse[] = []
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function keep(): Promise<void> {
    const kept = latest
    try {
      await store.tasks.keepResponses(id, carrier, kept)
    } catch (err) {
      log.warn({ task: id, err }, 'the answers of operators could not be stored')
    }
    timer = undefined
    if (latest !== kept) schedule()
  }
  const schedule = () => {
    if (stopped || timer !== undefined) return
    timer = setTimeout(() => void keep(), keepAfterMs)
  }
  const unsubscribe = updates.subscribe(id, (news) => {
    if (news.kind !== 'update' || news.update.event !== 'operator_response') return
    latest = news.update.data.operator_responses
    schedule()
  })

  return () => {
    stopped = true
    unsubscribe()
    clearTimeout(timer)
  }
}
