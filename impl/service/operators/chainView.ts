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

/** What an operator sees of the chain by a node of its own. */
export type ChainView = {
  readonly chainId: number
  readonly taskManager: Address
  /**
   * Everything of a policy client as it was at a block.
   *
   * @throws ServiceError -32616: retryable for a block that the node does not know yet, one that is
   * too old by now, and a node that does not answer
   */
  contextAt(policyClient: Address, block: number, signal: AbortSignal): Promise<ClientContext>
  /** One data source as it is now. @throws ServiceError -32616 */
  policyData(address: Address): Promise<PolicyDataContext>
}

export type ChainViewOptions = {
  readonly client: PublicClient
  readonly chainId: number
  readonly taskManager: Address
  /** The oldest block that a task may refer to, before the latest. */
  readonly maxBlocksBehind: number
  /** How long a block of the gateway's node is waited for, milliseconds. */
  readonly lagMs?: number
}

/** Both phases of a task read the same block; then it is of no more use. */
const mostKept = 256

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
        throw chainDisagrees(`its node knows no block ${block} yet, only ${latest}`, true)
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
          if (kept.size <= mostKept) break
          kept.delete(old)
        }
      }
      // Others may be waiting for it: who gives up ends nothing but their own wait.
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

function asDisagreement(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  // Of a node that cannot be asked only this: its address may hold a key.
  if (!(error instanceof ChainReadError) || error.code === 'unreachable') {
    return chainDisagrees('its node does not answer', true, error)
  }
  return chainDisagrees(error.message, false, error)
}
