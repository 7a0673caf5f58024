import type { Logger } from 'pino'
import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'
import type { OnPolicy } from './serviceExplorer.ts'

export type PrepareOraclesOptions = {
  readonly chainId: number
  /** Content id of the component that a PolicyData contract names. */
  readonly wasmCid: (policyData: string) => Promise<string>
  /** Prepares a component; returns the reason if it cannot be prepared. */
  readonly prepare: (cid: string, signal: AbortSignal) => Promise<string | undefined>
  readonly logger: Pick<Logger, 'info'>
}

/** Anyone may deploy policies: oracles beyond this many are prepared on first use. */
const maxWaiting = 100
const maxSeen = 1_000

/**
 * Prepares the oracles of a policy when the policy appears, so that its first task does not wait.
 * Runs one at a time, to leave CPU for tasks. Best effort: after a failure the first task that
 * needs the oracle prepares it.
 */
export function createOraclePreparation(options: PrepareOraclesOptions): {
  readonly onPolicy: OnPolicy
  close(): Promise<void>
} {
  const { chainId, wasmCid, prepare, logger } = options
  const closing = new AbortController()
  const seen = new Set<string>()
  let waiting = 0
  const queue = createSerialQueue()

  async function prepareOne(policyData: string): Promise<void> {
    if (closing.signal.aborted) return
    try {
      const cid = await wasmCid(policyData)
      if (cid === '' || closing.signal.aborted) return
      const problem = await prepare(cid, closing.signal)
      if (problem !== undefined) logger.info({ policyData, problem }, 'oracle cannot be prepared')
    } catch (error) {
      const problem = (error instanceof Error ? error.message : String(error)).slice(0, 300)
      if (!closing.signal.aborted) logger.info({ policyData, problem }, 'oracle not prepared')
    }
  }

  return {
    onPolicy(chain, policyData) {
      if (chain !== chainId) return
      for (const address of policyData.slice(0, maxWaiting)) {
        if (seen.has(address) || waiting >= maxWaiting) continue
        if (seen.size >= maxSeen) seen.clear()
        seen.add(address)
        waiting += 1
        void queue
          .run(() => prepareOne(address))
          .finally(() => {
            waiting -= 1
          })
      }
    },
    async close() {
      closing.abort()
      await queue.idle()
    },
  }
}
