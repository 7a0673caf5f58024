import { setTimeout as pause } from 'node:timers/promises'
import { ChainReadError } from 'polgate-chain/errors.ts'
import {
  type ClientContext,
  type PolicyDataContext,
  readClientContext,
  readPolicyData,
} from 'polgate-chain/reads.ts'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import type { PublicClient } from 'viem'
import { chainDisagrees } from './operatorErrors.ts'

/** An operator's view of the chain, through its own node. */
export type ChainView = {
  readonly chainId: number
  readonly taskManager: Address
  /**
   * The context of a policy client at a block.
   *
   * @throws ServiceError -32616: retryable for a block that the node does not have yet, for one
   * that is too old, and for an unavailable node
   */
  contextAt(policyClient: Address, block: number, signal: AbortSignal): Promise<ClientContext>
  /** One data source at the latest block. @throws ServiceError -32616 */
  policyData(address: Address): Promise<PolicyDataContext>
}

export type ChainViewOptions = {
  readonly client: PublicClient
  readonly chainId: number
  readonly taskManager: Address
  /** How many blocks before the latest a task's reference block may be. */
  readonly maxBlocksBehind: number
  /** How long to wait for a block that only the gateway's node has. */
  readonly lagMs?: number
}

/** Both phases of a task read the same block; afterwards it is not needed. */
const maxCached = 256

export function createChainView(options: ChainViewOptions): ChainView {
  const { client, chainId, taskManager, maxBlocksBehind, lagMs = 3_000 } = options
  const kept = new Map<string, Promise<ClientContext>>()

  async function reached(block: number): Promise<void> {
    const until = performance.now() + lagMs
    for (;;) {
      const latest = Number(await client.getBlockNumber())
      if (latest - block > maxBlocksBehind) {
        throw chainDisagrees(`block ${block} is more than ${maxBlocksBehind} blocks old`, true)
      }
      if (latest >= block) return
      if (performance.now() > until) {
        throw chainDisagrees(
          `its node does not have block ${block} yet; its latest is ${latest}`,
          true,
        )
      }
      await pause(200)
    }
  }

  async function read(policyClient: Address, block: number) {
    try {
      await reached(block)
      return await readClientContext({ client, policyClient, blockNumber: BigInt(block) })
    } catch (error) {
      throw asDisagreement(error)
    }
  }

  return {
    chainId,
    taskManager,
    contextAt(policyClient, block, signal) {
      const key = `${policyClient.toLowerCase()} ${block}`
      let reading = kept.get(key)
      if (reading === undefined) {
        reading = read(policyClient, block)
        kept.set(key, reading)
        reading.catch(() => kept.delete(key))
        for (const old of kept.keys()) {
          if (kept.size <= maxCached) break
          kept.delete(old)
        }
      }
      // Other callers may share the read: an abort ends only this caller's wait.
      return unlessAborted(signal, reading)
    },
    async policyData(policyData) {
      try {
        return await readPolicyData({ client, policyData })
      } catch (error) {
        throw asDisagreement(error)
      }
    },
  }
}

export function asDisagreement(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  // Of a node that cannot be asked only this: its address may hold a key.
  if (!(error instanceof ChainReadError) || error.code === 'unreachable') {
    return chainDisagrees('its node is unavailable', true, error)
  }
  return chainDisagrees(error.message, false, error)
}
