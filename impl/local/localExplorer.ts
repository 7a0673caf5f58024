import type { RunningAnvil } from '../../chain/anvil.ts'
import type { Network } from '../protocol/explorer.ts'
import type { ExplorerNetwork } from '../serviceConfig.ts'
import type { Deployment } from './deployFixtures.ts'

/** Milliseconds. What the gateway itself has posted is looked for at once. */
const pollMs = 250

/** The chains of a local stack by the names of the network header (decision X7). */
export function explorerNetworks(
  { protocol }: Deployment,
  chain: RunningAnvil,
  second: RunningAnvil | undefined,
): Partial<Record<Network, ExplorerNetwork>> {
  const { taskManager, policyFactory } = protocol
  const network = ({ chainId, url }: RunningAnvil): ExplorerNetwork => ({
    chainId,
    rpcUrl: url,
    taskManager,
    policyFactory,
    startBlock: 0,
    batchBlocks: 2_000,
    pollMs,
  })
  return {
    testnet: network(chain),
    ...(second === undefined ? {} : { 'base-sepolia': network(second) }),
  }
}
