import type { LatestTask } from 'polgate-protocol/control/latestTask.ts'
import type { TaskIntent } from 'polgate-protocol/intent.ts'
import type { Address, Bytes32, Data } from 'polgate-protocol/scalars.ts'
import { wasmArgsOf } from 'polgate-service/tasks/prepare.ts'
import type { TaskService } from 'polgate-service/tasks/taskService.ts'

/** The latest task of each policy client, from any sender. */
export type LatestTasks = {
  readonly around: (tasks: TaskService) => TaskService
  of(policyClient: string): LatestTask | undefined
}

const maxClients = 1_000

type Asked = {
  readonly policy_client: Address
  readonly intent: TaskIntent
  readonly intent_signature?: Data
  readonly wasm_args?: Data
}

/** Requests that create no task, such as refused ones, do not count. */
export function createLatestTasks(): LatestTasks {
  const latest = new Map<string, LatestTask>()

  function keep(asked: Asked, { task_id: taskId }: { readonly task_id?: Bytes32 | null }): void {
    if (taskId === undefined || taskId === null) return
    const { policy_client: client, intent, intent_signature, wasm_args } = asked
    const key = client.toLowerCase()
    // A map is in the order of its entries: the oldest one is forgotten first.
    latest.delete(key)
    latest.set(key, {
      ...{ taskId, intent },
      ...(intent_signature === undefined ? {} : { intentSignature: intent_signature }),
      // Without ephemeral envelopes, which are of one task.
      ...(wasm_args === undefined ? {} : { wasmArgs: wasmArgsOf(wasm_args) }),
    })
    for (const old of latest.keys()) {
      if (latest.size <= maxClients) break
      latest.delete(old)
    }
  }

  return {
    around: (tasks) => ({
      ...tasks,
      async createTask(params, caller) {
        const result = await tasks.createTask(params, caller)
        keep(params as Asked, result)
        return result
      },
      async sendTask(params, caller) {
        const result = await tasks.sendTask(params, caller)
        keep(params as Asked, result)
        return result
      },
    }),
    of: (policyClient) => latest.get(policyClient.toLowerCase()),
  }
}
