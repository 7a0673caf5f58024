import type { Logger } from 'pino'
import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'
import type { OnPolicy } from './serviceExplorer.ts'

export type PrepareOraclesOptions = {
  readonly chainId: number
  /** Content id of the component that a PolicyData contract names. */
  readonly wasmCid: (policyData: string) => Promise<string>
  /** Makes a component ready; gives why it cannot be. */
  readonly prepare: (cid: string, signal: AbortSignal) => Promise<string | undefined>
  readonly logger: Pick<Logger, 'info'>
}

/** Anybody may deploy policies: more than these are made ready when they are first used. */
const mostWaiting = 100
const mostSeen = 1_000

/**
 * Makes the oracles of policies ready when the policies appear, so that their first tasks need not wait.
 * One after the other, so that tasks keep the rest of the machine. Nothing depends on it: what could
 * not be made ready is tried again by the first task that needs it.
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
      for (const address of policyData.slice(0, mostWaiting)) {
        if (seen.has(address) || waiting >= mostWaiting) continue
        if (seen.size >= mostSeen) seen.clear()
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
