import { finishWithFailure } from './finishTask.ts'
import type { TaskDeps } from './taskDeps.ts'
import { TaskFailure, taskTimeout } from './taskErrors.ts'

/** How long past its deadline another gateway may still be storing the end of a task, milliseconds. */
const handover = 5_000

const atOnce = 500

/**
 * Ends tasks that nobody carries any more, so that none is lost or blocks its intent for good. On
 * an embedded store every unfinished task of an earlier process is one of them; on a shared server
 * another gateway may be at work on it until its deadline.
 *
 * @returns how many were ended
 */
export async function recoverTasks(
  deps: Pick<TaskDeps, 'store' | 'clock' | 'uuid' | 'updates' | 'log'>,
  options: { readonly alone: boolean },
): Promise<number> {
  const now = deps.clock()
  let ended = 0
  for (const task of await deps.store.tasks.listUnfinished(atOnce)) {
    const late = task.deadline.getTime() + handover < now
    if (!options.alone && !late) continue
    const failure = options.alone
      ? new TaskFailure('Task interrupted: the gateway was restarted; send the task again', {
          failureType: 'internal_error',
          recoverable: true,
        })
      : taskTimeout()
    await finishWithFailure(deps, task.id, failure)
    ended += 1
  }
  if (ended === 0) return 0
  deps.log.warn({ tasks: ended }, 'ended tasks that an earlier process left behind')
  return ended < atOnce ? ended : ended + (await recoverTasks(deps, options))
}
