import { explorerClient } from '../../data/explorer.ts'
import { target } from '../../data/target.ts'
import type { KnownValues } from './example.ts'

const day = 86_400_000

/** Values of the target for examples: those of its newest task, where there is one. */
export async function knownValues(): Promise<KnownValues> {
  const { chainId, has } = target()
  const yesterday = [new Date(Date.now() - day).toISOString()]
  const basic = {
    task_window_start: yesterday,
    policy_window_start: yesterday,
    ...(chainId === undefined ? {} : { chain_id: [`0x${chainId.toString(16)}`, chainId] }),
  }
  if (!has.explorer) return basic
  try {
    const { results } = await explorerClient().listTasks({ page: 1, size: 1 })
    const newest = results[0]
    if (newest === undefined) return basic
    const { intent } = await explorerClient().getTask({ taskId: newest.id })
    const { policy_client_address: client, policy_id: id, policy_address: policy } = newest
    const ofIntent = Object.entries(intent).map(([name, value]) => [name, [value]])
    return {
      ...Object.fromEntries(ofIntent),
      ...basic,
      ...{ task_id: [newest.id], policy_client: [client], policy_id: [id] },
      ...{ policy_address: [policy], address: [policy] },
    }
  } catch {
    // Examples are then made from the schemas alone.
    return basic
  }
}
