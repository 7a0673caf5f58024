import type { RunningAnvil } from 'polgate-chain/anvil.ts'
import { watchChain } from 'polgate-chain/chainWatch.ts'
import { createChainClient } from 'polgate-chain/client.ts'

/** Longer than a busy machine keeps an Anvil that works from answering, milliseconds. */
const requestMs = 10_000
const everyMs = 5_000

const whatToDo =
  'It goes on by itself if the machine is only busy; otherwise end it and start the stack again.'

/**
 * Tells when the Anvil of a stack stops answering, and when it answers again: the log of the service
 * is silent by default. It is not started again, which would lose the blocks since its last state.
 */
export function watchLocalChain(
  { url, chainId, pid }: Pick<RunningAnvil, 'url' | 'chainId' | 'pid'>,
  alert: (line: string) => void,
): { close(): void } {
  const client = createChainClient({ rpcUrl: url, timeout: requestMs })
  const process = pid === undefined ? '' : `, process ${pid}`
  const anvil = `Anvil of chain ${chainId} (${url}${process})`
  return watchChain({
    ...{ client, chainId, everyMs },
    node: new URL(url).host,
    log: {
      // Tests and checks reorganise a local chain on purpose: only outages are told.
      warn({ failure, cause }) {
        if (failure === 'hangs') alert(`${anvil} takes requests and does not answer. ${whatToDo}`)
        else if (failure !== undefined)
          alert(`${anvil} does not answer: ${cause} Start the stack again if it has ended.`)
      },
      info: () => alert(`${anvil} answers again.`),
    },
  })
}
