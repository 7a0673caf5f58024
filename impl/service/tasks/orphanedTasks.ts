import type { CreateTaskParams } from 'polgate-protocol/methods/createTask.ts'
import type { OrphanedTask } from '../store/taskOwnership.ts'
import type { AdmittedTask } from './admit.ts'
import { type ExecuteTaskParts, executeTask } from './executeTask.ts'
import { finishWithFailure } from './finishTask.ts'
import { prepareTask } from './prepare.ts'
import { hadPrivacy } from './privacyArgs.ts'
import type { TaskAdmissionLimit, TaskSlot } from './taskAdmissionLimit.ts'
import type { TaskDeps } from './taskDeps.ts'
import { asTaskFailure, TaskFailure, taskTimeout } from './taskErrors.ts'
import { taskProgress } from './taskProgress.ts'

/** Grace after a task's deadline, in which its worker may still store the end, milliseconds. */
const takeoverGraceMs = 5_000
const atOnce = 100

export type OrphanedTasksParts = ExecuteTaskParts & {
  readonly load: TaskAdmissionLimit
  readonly background: (work: Promise<unknown>) => void
}

/**
 * Takes over orphaned tasks and executes them in the background, so that none is lost or blocks its
 * intent permanently. On an embedded store these are all unfinished tasks of earlier processes; on
 * a shared server, those of gateways without a lease. Tasks past their deadline end as timeout.
 * Takes as many as there are free slots; the rest is left for the next heartbeat or for another
 * gateway.
 *
 * @returns how many were taken over
 */
export async function takeOverTasks(deps: TaskDeps, parts: OrphanedTasksParts): Promise<number> {
  const { load, workerLease } = parts
  let taken = 0
  for (;;) {
    const room = load.room()
    if (room.tasks === 0 || parts.closing.aborted) return taken
    const left = await deps.store.ownership.takeOver({
      worker: workerLease.id,
      chainId: deps.chain.chainId,
      alone: !workerLease.shared,
      late: new Date(deps.clock() - takeoverGraceMs),
      limit: Math.min(atOnce, room.tasks),
      besidesKeys: room.fullKeys,
      excluding: workerLease.held(),
    })
    if (left.length === 0) return taken
    deps.log.warn({ tasks: left.length }, 'took over orphaned tasks')
    taken += left.length
    const tooMany: OrphanedTask[] = []
    for (const task of left) if (!begin(deps, parts, task)) tooMany.push(task)
    if (tooMany.length > 0)
      await deps.store.ownership.release(
        tooMany.map(({ id }) => id),
        workerLease.id,
      )
    if (left.length < atOnce) return taken
  }
}

/** Returns false if there is no free slot. */
function begin(deps: TaskDeps, parts: OrphanedTasksParts, record: OrphanedTask): boolean {
  let place: TaskSlot
  try {
    place = parts.load.enter(record.apiKeyId)
  } catch {
    return false
  }
  const carried = carryOn(deps, parts, record, place)
    .catch((err: unknown) => {
      deps.log.warn(
        { task: record.id, err },
        'end of a task that was taken over could not be stored',
      )
    })
    .finally(() => place.leave())
  parts.background(carried)
  return true
}

async function carryOn(
  deps: TaskDeps,
  parts: OrphanedTasksParts,
  record: OrphanedTask,
  place: TaskSlot,
): Promise<void> {
  const { operatorResponses: responses } = record
  if (record.deadline.getTime() <= deps.clock()) {
    await finishWithFailure(deps, record.id, taskTimeout(), { responses })
    return
  }
  let task: AdmittedTask['task']
  try {
    // Valid at admission, but an earlier release may have had other rules.
    task = prepareTask(record.request as CreateTaskParams)
    if (hadPrivacy(record.request)) throw privacyLost()
  } catch (error) {
    await finishWithFailure(deps, record.id, asTaskFailure(error), { responses })
    return
  }
  const news = taskProgress(deps, record.id, responses ?? [])
  const { checkpoint } = record
  await executeTask(deps, parts, { task, record, place, news, checkpoint, hasCaller: false })
}

/** Without the envelopes the policy would see less than its caller has sent. */
const privacyLost = () =>
  new TaskFailure('Task interrupted: its ephemeral data is not stored; send the task again', {
    failureType: 'internal_error',
    recoverable: true,
  })
