import type { GatewayProcess } from './gatewayProcess.ts'
import { load } from './load.ts'
import { createTaskBodies } from './requests.ts'

export type MemoryRow = { readonly tasks: number; readonly residentMiB: number | undefined }

/** Resident memory of a whole stack in one process, before and during tasks. */
export async function memoryOverTasks(
  { stack, memory }: GatewayProcess,
  tasks: number,
  steps = 8,
): Promise<MemoryRow[]> {
  const target = { url: stack.gatewayUrl, path: '/rpc', key: stack.apiKeys.rpc }
  const rows: MemoryRow[] = [{ tasks: 0, residentMiB: memory() }]
  const share = Math.ceil(tasks / steps)
  for (let done = 0; done < tasks; done += share) {
    const { failures, firstFailure } = await load(
      target,
      createTaskBodies(stack, 'allow-list', Math.min(share, tasks - done)),
      16,
    )
    if (failures > 0) throw new Error(`${failures} tasks failed: ${firstFailure}`)
    rows.push({ tasks: Math.min(tasks, done + share), residentMiB: memory() })
  }
  return rows
}
