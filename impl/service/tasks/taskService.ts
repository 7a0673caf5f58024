import { AsyncResource } from 'node:async_hooks'
import { setMaxListeners } from 'node:events'
import { monotonicClock } from 'polgate-protocol/clock.ts'
import type { ParamsOf, ResultOf } from 'polgate-protocol/methods.ts'
import type { Caller } from './caller.ts'
import { createChainReads } from './chainReads.ts'
import { createTask } from './createTask.ts'
import { createOperatorLatency } from './operatorLatency.ts'
import { takeOverTasks } from './orphanedTasks.ts'
import { createPostOnChain } from './postOnChain.ts'
import { createRegistrations } from './registrations.ts'
import { sendTask } from './sendTask.ts'
import { simulatePolicy } from './simulatePolicy.ts'
import { simulatePolicyData } from './simulatePolicyData.ts'
import { simulatePolicyDataWithClient } from './simulatePolicyDataWithClient.ts'
import { simulateTask } from './simulateTask.ts'
import { createSimulations } from './simulations.ts'
import { storeEncryptedSecrets } from './storeEncryptedSecrets.ts'
import { createTaskAdmissionLimit } from './taskAdmissionLimit.ts'
import type { TaskDeps } from './taskDeps.ts'
import { TaskFailure } from './taskErrors.ts'
import { createWorkerLease } from './workerLease.ts'

type TaskMethod =
  | 'createTask'
  | 'sendTask'
  | 'simulateTask'
  | 'simulatePolicy'
  | 'simulatePolicyData'
  | 'simulatePolicyDataWithClient'
  | 'storeEncryptedSecrets'

/** Tasks and simulations, as the front door asks for them. */
export type TaskService = {
  readonly [M in TaskMethod]: (params: ParamsOf<M>, caller: Caller) => Promise<ResultOf<M>>
} & {
  /**
   * Ends tasks in flight as failed, or releases them to other gateways if there are any and no
   * caller here waits; unposted results stay in the queue.
   */
  close(): Promise<void>
}

/**
 * On start, takes over the unfinished tasks of earlier processes and posts the results that they
 * have not posted.
 */
export async function createTaskService(deps: TaskDeps): Promise<TaskService> {
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const posting = createPostOnChain(deps)
  // Posting belongs to no task, although ends of tasks wake it.
  const post = { ...posting, wake: AsyncResource.bind(posting.wake) }
  const load = createTaskAdmissionLimit()
  const underWay = new Set<Promise<unknown>>()
  const track = <T>(work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
    return tracked
  }
  const reads = createChainReads(deps.chain)
  const operatorLatency = createOperatorLatency({ clock: monotonicClock })
  const workerLease = createWorkerLease(deps, () => takeOverTasks(deps, parts))
  const parts = {
    ...{ load, post, reads, operatorLatency, workerLease },
    closing: closing.signal,
    background: (work: Promise<unknown>) => void track(work),
  }
  const simulations = createSimulations(deps, parts)
  const registrations = createRegistrations()

  const startedAt = deps.clock()
  await deps.store.ownership.fillChain(deps.chain.chainId)
  await workerLease.start()
  post.wake()
  // Blocks may have left the chain while the service was stopped.
  post.recheckPosted(startedAt)
  const wentBack = (block: Promise<number>) =>
    void track(
      block
        .then((number) => deps.secrets.chainWentBack(deps.chain.chainId, number))
        .catch((err: unknown) => {
          if (closing.signal.aborted) return
          deps.log.warn({ err }, 'blocks of uploads were not compared with the chain')
        }),
    )
  wentBack(reads.within(closing.signal).latestBlock())
  deps.onChainWentBack?.(({ intactAt, to }) => {
    post.recheckPosted(intactAt)
    wentBack(Promise.resolve(to))
  })
  deps.onClockJump?.(() => post.wake())

  return {
    createTask: (params, caller) => track(createTask(deps, parts, params, caller)),
    sendTask: (params, caller) => track(sendTask(deps, parts, params, caller)),
    simulateTask: (params, { keyId }) =>
      track(
        simulations.run(keyId, (simulation) => simulateTask(simulation, registrations, params)),
      ),
    simulatePolicy: (params, caller) =>
      track(simulations.run(caller.keyId, (given) => simulatePolicy(given, params, caller))),
    simulatePolicyData: (params, { keyId }) =>
      track(simulations.run(keyId, (simulation) => simulatePolicyData(simulation, params))),
    simulatePolicyDataWithClient: (params, caller) =>
      track(
        simulations.run(caller.keyId, (given) =>
          simulatePolicyDataWithClient(given, params, caller),
        ),
      ),
    storeEncryptedSecrets: (params, caller) =>
      track(
        simulations.run(caller.keyId, ({ deps: own, ask }) =>
          storeEncryptedSecrets(own, ask, params, caller),
        ),
      ),
    async close() {
      closing.abort(
        new TaskFailure('Task interrupted: the gateway is shutting down; send the task again', {
          failureType: 'internal_error',
          recoverable: true,
        }),
      )
      await workerLease.stop()
      while (underWay.size > 0) await Promise.allSettled(underWay)
      await post.close()
      await workerLease.close()
    },
  }
}
