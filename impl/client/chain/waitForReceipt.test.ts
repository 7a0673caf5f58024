import { startAnvil } from 'polgate-chain/anvil.ts'
import { createTestClient, createWalletClient, custom, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { waitForTransactionReceipt } from 'viem/actions'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForReceipt } from './waitForReceipt.ts'

const key = `0x${'5a'.repeat(32)}` as const

let anvil: Awaited<ReturnType<typeof startAnvil>>
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

/** Sends a transaction whose block comes while viem looks into the block before it. */
async function sendUnnoticed() {
  const node = createTestClient({ mode: 'anvil', chain: foundry, transport: http(anvil.url) })
  const account = privateKeyToAccount(key)
  await node.setBalance({ address: account.address, value: 10n ** 18n })
  await node.setAutomine(false)
  const wallet = createWalletClient({
    ...{ account, chain: foundry, pollingInterval: 10 },
    transport: custom({
      async request({ method, params }) {
        const answer = await node.request({ method, params })
        if (method === 'eth_getBlockByNumber' && isPending) {
          isPending = false
          await node.mine({ blocks: 1 })
          // Until the next polls have seen the number of the new block.
          for (let seen = numbers + 3; numbers < seen; ) await new Promise(setImmediate)
        }
        if (method === 'eth_blockNumber') numbers += 1
        return answer
      },
    }),
  })
  let isPending = false
  let numbers = 0
  const hash: Hex = await wallet.sendTransaction({ to: account.address, value: 1n })
  isPending = true
  return { wallet, hash }
}

it('finds a transaction whose block is the last and comes while viem looks into the one before', async () => {
  const { wallet, hash } = await sendUnnoticed()
  expect(await waitForReceipt(wallet, { hash })).toMatchObject({ status: 'success' })
})

it('is needed, because viem waits for one more block', async () => {
  const { wallet, hash } = await sendUnnoticed()
  await expect(waitForTransactionReceipt(wallet, { hash, timeout: 1_000 })).rejects.toThrow(
    'Timed out while waiting for transaction',
  )
})
