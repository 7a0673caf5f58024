import type { RunningAnvil } from 'polgate-chain/anvil.ts'
import { watchChain } from 'polgate-chain/chainWatch.ts'
import { createChainClient } from 'polgate-chain/client.ts'

/** Milliseconds. */
export type WatchTimes = { readonly requestMs: number; readonly everyMs: number }

/** Longer than a busy machine delays responses of a working Anvil. */
const usual: WatchTimes = { requestMs: 10_000, everyMs: 5_000 }

const whatToDo =
  'It recovers by itself if the machine is only busy; otherwise kill it and restart the stack.'

/**
 * Reports when the Anvil of a stack becomes unresponsive, and when it responds again, because the
 * log of the service is silent by default. Anvil is not restarted, which would lose the blocks
 * since its last stored state.
 */
export function watchLocalChain(
  { url, chainId, pid }: Pick<RunningAnvil, 'url' | 'chainId' | 'pid'>,
  alert: (line: string) => void,
  { requestMs, everyMs }: WatchTimes = usual,
): { close(): void } {
  const client = createChainClient({ rpcUrl: url, timeout: requestMs })
  const process = pid === undefined ? '' : `, process ${pid}`
  const anvil = `Anvil of chain ${chainId} (${url}${process})`
  return watchChain({
    ...{ client, chainId, everyMs },
    node: new URL(url).host,
    log: {
      // Tests and checks reorganize a local chain on purpose: only outages are reported.
      warn({ failure, cause }) {
        if (failure === 'hangs')
          alert(`${anvil} accepts requests but does not respond. ${whatToDo}`)
        else if (failure !== undefined)
          alert(`${anvil} is unreachable: ${cause} Restart the stack if it has exited.`)
      },
      info: () => alert(`${anvil} responds again.`),
    },
  })
}
