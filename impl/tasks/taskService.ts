import type { CreateTaskParams } from '../protocol/methods/createTask.ts'
import type { SendTaskParams, SendTaskResult } from '../protocol/methods/sendTask.ts'
import type {
  SimulatePolicyParams,
  SimulatePolicyResult,
} from '../protocol/methods/simulatePolicy.ts'
import type { SimulateTaskParams, SimulateTaskResult } from '../protocol/methods/simulateTask.ts'
import type {
  StoreEncryptedSecretsParams,
  StoreEncryptedSecretsResult,
} from '../protocol/methods/storeEncryptedSecrets.ts'
import type { TaskResult } from '../protocol/task.ts'
import type { Caller } from './caller.ts'
import { createTask } from './createTask.ts'
import { takeTurns } from './pickOperator.ts'
import { createPostOnChain } from './postOnChain.ts'
import { recoverTasks } from './recover.ts'
import { sendTask } from './sendTask.ts'
import { simulatePolicy } from './simulatePolicy.ts'
import { simulateTask } from './simulateTask.ts'
import { storeEncryptedSecrets } from './storeEncryptedSecrets.ts'
import type { TaskDeps } from './taskDeps.ts'
import { TaskFailure } from './taskErrors.ts'
import { createTaskLoad } from './taskLoad.ts'

/** Tasks and simulations, as the front door asks for them. */
export type TaskService = {
  createTask(params: CreateTaskParams, caller: Caller): Promise<TaskResult>
  sendTask(params: SendTaskParams, caller: Caller): Promise<SendTaskResult>
  simulateTask(params: SimulateTaskParams, caller: Caller): Promise<SimulateTaskResult>
  simulatePolicy(params: SimulatePolicyParams, caller: Caller): Promise<SimulatePolicyResult>
  storeEncryptedSecrets(
    params: StoreEncryptedSecretsParams,
    caller: Caller,
  ): Promise<StoreEncryptedSecretsResult>
  /** Ends what is under way as failed, and waits for it. */
  close(): Promise<void>
}

/** How often tasks whose gateway is gone are looked for on a shared store, milliseconds. */
const sweepEvery = 10_000
/** Longest simulation, milliseconds; the stages have limits of their own. */
const simulationMs = 60_000

/** Starts by ending the tasks that an earlier process left behind. */
export async function createTaskService(deps: TaskDeps): Promise<TaskService> {
  const closing = new AbortController()
  const post = createPostOnChain(deps)
  const load = createTaskLoad()
  const ask = takeTurns(deps.operators)
  const underWay = new Set<Promise<unknown>>()
  const track = <T>(work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
    return tracked
  }
  const parts = { load, post, closing: closing.signal, background: track }
  const limited = () => AbortSignal.any([closing.signal, AbortSignal.timeout(simulationMs)])

  await recoverTasks(deps, { alone: deps.store.database.engine === 'embedded' })
  const sweep = setInterval(() => {
    recoverTasks(deps, { alone: false }).catch((err) => deps.log.warn({ err }, 'sweep failed'))
  }, sweepEvery)
  sweep.unref()

  return {
    createTask: (params, caller) => track(createTask(deps, parts, params, caller)),
    sendTask: (params, caller) => track(sendTask(deps, parts, params, caller)),
    simulateTask: (params) => track(simulateTask(deps, ask, params, limited())),
    simulatePolicy: (params, caller) => track(simulatePolicy(deps, ask, params, caller, limited())),
    storeEncryptedSecrets: (params, caller) =>
      track(storeEncryptedSecrets(deps, ask, params, caller, limited())),
    async close() {
      clearInterval(sweep)
      closing.abort(
        new TaskFailure('Task interrupted: the gateway is shutting down; send the task again', {
          failureType: 'internal_error',
          recoverable: true,
        }),
      )
      while (underWay.size > 0) await Promise.allSettled(underWay)
      await post.close()
    },
  }
}
