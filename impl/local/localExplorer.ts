import type { RunningAnvil } from 'polgate-chain/anvil.ts'
import type { Network } from 'polgate-protocol/explorer.ts'
import type { ExplorerNetwork } from 'polgate-service/configSections.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { AdjustableLimits } from './adjustableLimits.ts'
import type { Deployment } from './deployFixtures.ts'
import { onFirstUse } from './onFirstUse.ts'

/** Poll interval, milliseconds. Results posted by the gateway itself are indexed immediately. */
const pollMs = 250

/** The chains of a local stack by the value of the network header (decision X7). */
export function explorerNetworks(
  { protocol }: Deployment,
  chain: RunningAnvil,
  second: RunningAnvil | undefined,
  startBlock = 0,
): Partial<Record<Network, ExplorerNetwork>> {
  const { taskManager, policyFactory } = protocol
  const network = ({ chainId, url }: RunningAnvil, startBlock: number): ExplorerNetwork => ({
    chainId,
    rpcUrl: url,
    taskManager,
    policyFactory,
    startBlock,
    batchBlocks: 2_000,
    pollMs,
  })
  return {
    testnet: network(chain, startBlock),
    ...(second === undefined ? {} : { 'base-sepolia': network(second, 0) }),
  }
}

/** Explorer options of a local stack, added to the given parts. */
export function explorerParts(
  given: ServiceParts | undefined,
  limits: AdjustableLimits,
): Pick<ServiceParts, 'indexer' | 'explorer'> {
  const contents = onFirstUse()
  return {
    indexer(deps) {
      const { describer } = deps
      const own = { ...deps, describer: describer && contents.describer(describer) }
      return given?.indexer?.(own) ?? own
    },
    explorer(deps) {
      const own = { ...deps, queries: contents.queries(deps.queries) }
      const changed = given?.explorer?.(own) ?? own
      return { ...changed, rateLimit: limits.overExplorer(changed.rateLimit) }
    },
  }
}
