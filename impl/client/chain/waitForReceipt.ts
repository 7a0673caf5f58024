import type { Chain, Client, TransactionReceipt, Transport } from 'viem'
import {
  getBlockNumber,
  type WaitForTransactionReceiptParameters,
  type WatchBlockNumberParameters,
  type WatchBlockNumberReturnType,
  waitForTransactionReceipt,
} from 'viem/actions'

/** Emits the number of the newest block at each poll, whether or not it is a new one. */
function watchEveryPoll(
  client: Client,
  { onBlockNumber, pollingInterval = client.pollingInterval }: WatchBlockNumberParameters,
): WatchBlockNumberReturnType {
  let timer: ReturnType<typeof setTimeout> | undefined
  let ended = false
  async function poll(): Promise<void> {
    // The caller has a timeout of its own: a node that fails is asked again until then.
    const block = await getBlockNumber(client, { cacheTime: 0 }).catch(() => undefined)
    if (ended) return
    if (block !== undefined) onBlockNumber(block, undefined)
    timer = setTimeout(poll, pollingInterval)
  }
  void poll()
  return () => {
    ended = true
    clearTimeout(timer)
  }
}

/**
 * `waitForTransactionReceipt` of viem, for chains that have no block without a transaction. viem looks
 * once per block, and ignores a block that comes while it looks for a replacement in the one before:
 * where that block has the transaction and none follows, it waits until its timeout.
 *
 * @throws the errors of `waitForTransactionReceipt`
 */
export const waitForReceipt = async (
  client: Client<Transport, Chain | undefined>,
  parameters: WaitForTransactionReceiptParameters,
): Promise<TransactionReceipt> =>
  await waitForTransactionReceipt(
    client.extend(() => ({
      watchBlockNumber: (options: WatchBlockNumberParameters) => watchEveryPoll(client, options),
    })),
    parameters,
  )
