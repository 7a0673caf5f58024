import { explorerClient } from '../../data/explorer.ts'
import { target } from '../../data/target.ts'
import type { KnownValues } from './example.ts'

const day = 86_400_000

/** Values of the target for examples: those of its newest task, where there is one. */
export async function knownValues(): Promise<KnownValues> {
  const { chainId, has } = target()
  const windows = {
    task_window_start: new Date(Date.now() - day).toISOString(),
    policy_window_start: new Date(Date.now() - day).toISOString(),
  }
  const chain = chainId === undefined ? {} : { chain_id: `0x${chainId.toString(16)}` }
  if (!has.explorer) return { ...windows, ...chain }
  try {
    const { results } = await explorerClient().listTasks({ page: 1, size: 1 })
    const newest = results[0]
    if (newest === undefined) return { ...windows, ...chain }
    const task = await explorerClient().getTask({ taskId: newest.id })
    return {
      ...windows,
      ...chain,
      ...{ task_id: task.id, policy_client: task.policy_client_address, intent: task.intent },
      ...(task.policy_id === null ? {} : { policy_id: task.policy_id }),
      ...(task.policy_address === null
        ? {}
        : { policy_address: task.policy_address, address: task.policy_address }),
    }
  } catch {
    // Examples are then made from the schemas alone.
    return { ...windows, ...chain }
  }
}
