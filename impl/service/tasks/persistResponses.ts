import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { OperatorResponse } from 'polgate-protocol/taskUpdate.ts'
import type { TaskDeps } from './taskDeps.ts'

/** Most tasks end sooner; then their end is the only write. */
const keepAfterMs = 250

/**
 * Stores the answers of operators while a task is in progress, for late subscribers at another
 * gateway and for a gateway that continues the task after a crash (decision W4). Writes are
 * batched; a failed write is compensated by the next one or by the end of the task.
 *
 * @returns a function that stops it
 */
export function persistResponses(
  { store, updates, log }: Pick<TaskDeps, 'store' | 'updates' | 'log'>,
  { id, worker }: { readonly id: Bytes32; readonly worker: string },
): () => void {
  let latest: readonly OperatorResponse[] = []
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function keep(): Promise<void> {
    const kept = latest
    try {
      await store.tasks.persistResponses(id, worker, kept)
    } catch (err) {
      log.warn({ task: id, err }, 'operator answers could not be stored')
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
