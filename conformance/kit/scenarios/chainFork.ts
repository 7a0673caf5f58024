import { startAnvil } from 'polgate-chain/anvil.ts'
import {
  createPublicClient,
  type Hex,
  http,
  type PublicClient,
  type TransactionReceipt,
  toHex,
} from 'viem'
import { ConformanceError, Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import { failureText } from '../../core/failureText.ts'
import { lacking } from '../../targets/targetLine.ts'
import { minedReceipt } from './minedReceipt.ts'

/**
 * A fork of the target's chain, on which the suite can impersonate any account. Transactions there
 * show what the deployed contracts do, without affecting the target.
 */
export type ChainFork = {
  readonly client: PublicClient
  /** The context of the check, with the fork as its chain. */
  readonly context: CheckContext
  /** Sends as any account; returns the receipt of a transaction that did not revert. */
  readonly send: (from: Hex, to: Hex, data: Hex) => Promise<TransactionReceipt>
  readonly mine: (blocks: number) => Promise<void>
  readonly head: () => Promise<number>
}

const startedWithinMs = 20_000
const gas = toHex(10_000_000)

/** Ends with this process, or with the thread of a run that is interrupted. */
const startNode = (forkUrl: string, chainId: number) =>
  startAnvil({ forkUrl, chainId, startTimeout: startedWithinMs }).catch((error) => {
    throw new Untestable(`the chain cannot be forked: ${failureText(error)}`)
  })

/** Runs something on a fork of the target's chain, which is removed afterwards. */
export async function withFork<T>(
  t: CheckContext,
  run: (fork: ChainFork) => Promise<T>,
): Promise<T> {
  const { chain } = t.target
  if (chain === undefined) throw lacking('no node of the chain is known', 'chain', t.target)
  const node = await startNode(chain.rpcUrl, chain.chainId)
  const client = createPublicClient({
    transport: http(node.url, { timeout: 30_000, retryCount: 1 }),
    cacheTime: 0,
  })
  const context = { ...t, chain: () => client }
  const request = (method: string, params: readonly unknown[]) =>
    client.request({ method, params } as never) as Promise<unknown>
  const send = async (from: Hex, to: Hex, data: Hex) => {
    await request('anvil_setBalance', [from, toHex(10n ** 20n)])
    const hash = (await request('eth_sendTransaction', [{ from, to, data, gas }])) as Hex
    const receipt = await minedReceipt(context, hash)
    if (receipt.status !== 'success')
      throw new ConformanceError('a transaction on a fork of the chain reverted', {
        expected: 'success',
        observed: `${data.slice(0, 10)} of ${from}`,
      })
    return receipt
  }
  try {
    return await run({
      client,
      context,
      send,
      mine: async (blocks) => void (await request('anvil_mine', [toHex(blocks)])),
      head: async () => Number(await client.getBlockNumber({ cacheTime: 0 })),
    })
  } finally {
    await node.stop()
  }
}
