import type { Task } from '../../chain/types.ts'
import { insertNotification } from '../store/notifications.ts'
import type { Signed } from './collectSignatures.ts'
import { notificationOf } from './finishTask.ts'
import type { TaskDeps } from './taskDeps.ts'
import { TaskFailure } from './taskErrors.ts'

export type Posting = { readonly task: Task; readonly signed: Signed; readonly apiKeyId: string }

export type PostOnChain = {
  /** Puts a result in the queue; its caller does not wait for it (decision T10). */
  later(posting: Posting): void
  /** Takes nothing new, gives what is there some time, and tells of what is left. */
  close(): Promise<void>
}

type PostDeps = Pick<
  TaskDeps,
  'chain' | 'store' | 'clock' | 'uuid' | 'updates' | 'postOnChain' | 'log'
>

const maxQueued = 1_000
const maxParallel = 4
const closeWithinMs = 3_000

/** Posts results to the task manager in the background; a failure there harms no result. */
export function createPostOnChain(deps: PostDeps): PostOnChain {
  const queue: Posting[] = []
  const running = new Set<Promise<void>>()
  let closed = false

  const next = () => {
    while (running.size < maxParallel) {
      const posting = queue.shift()
      if (posting === undefined) return
      const work = send(posting).finally(() => {
        running.delete(work)
        next()
      })
      running.add(work)
    }
  }

  async function send({ task, signed, apiKeyId }: Posting): Promise<void> {
    try {
      const { response, aggregation } = signed
      await deps.chain.post({ task, response, signatureData: aggregation.signatureData })
    } catch (error) {
      await failed(task, apiKeyId, error instanceof Error ? error.message : 'unknown error', error)
    }
  }

  async function failed(task: Task, apiKeyId: string, why: string, cause?: unknown): Promise<void> {
    deps.log.warn({ task: task.taskId, err: cause }, 'on-chain submission failed')
    const failure = new TaskFailure(`On-chain submission failed: ${why.slice(0, 500)}`, {
      failureType: 'onchain_submission_failed',
      recoverable: false,
    })
    const notification = notificationOf(deps, task.taskId, failure)
    try {
      await deps.store.database.transaction((tx) =>
        insertNotification(tx, notification, apiKeyId, new Date(deps.clock())),
      )
      deps.updates.publish(task.taskId, { kind: 'notification', notification })
    } catch (error) {
      deps.log.warn({ task: task.taskId, err: error }, 'notification lost')
    }
  }

  return {
    later(posting) {
      if (closed || !deps.postOnChain) return
      if (queue.length >= maxQueued) {
        running.add(track(failed(posting.task, posting.apiKeyId, 'too many are waiting')))
        return
      }
      queue.push(posting)
      next()
    },
    async close() {
      closed = true
      let timer: NodeJS.Timeout | undefined
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeWithinMs)
      })
      const all = async () => {
        while (running.size > 0) await Promise.all(running)
      }
      await Promise.race([all(), enough])
      clearTimeout(timer)
      // Nobody else knows of them.
      const left = queue.splice(0)
      await Promise.all(
        left.map(({ task, apiKeyId }) => failed(task, apiKeyId, 'the gateway is shutting down')),
      )
    },
  }

  function track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => running.delete(tracked))
    return tracked
  }
}
