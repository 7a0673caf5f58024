import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { freePort } from 'polgate-lib/http/freePort.ts'
import type { Hash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { type RunningAnvil, startAnvil } from './anvil.ts'
import { createTransactor, type Transactor } from './transactor.ts'

let anvil: RunningAnvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

async function rpc(url: string, method: string, ...params: readonly unknown[]) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result: unknown; error?: object }
  if (error !== undefined) throw new Error(JSON.stringify(error))
  return result
}
const node = (method: string, ...params: readonly unknown[]) => rpc(anvil.url, method, ...params)

/** The state that Anvil loads at startup. */
const stateOf = async (url: string) =>
  gunzipSync(Buffer.from(String(await rpc(url, 'anvil_dumpState')).slice(2), 'hex'))

const transactor = (index: number, timeout?: number): Promise<Transactor> =>
  createTransactor({
    rpcUrl: anvil.url,
    account: devAccount(index),
    ...(timeout === undefined ? {} : { timeout }),
  })
const to = devAccount(9).address

/** Disables automatic mining during `work`. */
async function unmined<T>(run: () => Promise<T>): Promise<T> {
  await node('evm_setAutomine', false)
  try {
    return await run()
  } finally {
    await node('evm_setAutomine', true)
    await node('evm_mine')
  }
}

async function pooled(address: string): Promise<{ hash: Hash; nonce: string }[]> {
  const { pending } = (await node('txpool_content')) as {
    pending: Record<string, Record<string, { hash: Hash; nonce: string }>>
  }
  return Object.entries(pending)
    .filter(([account]) => account.toLowerCase() === address.toLowerCase())
    .flatMap(([, transactions]) => Object.values(transactions))
}

describe('a transactor reads its nonces again', () => {
  it('after a revert of the chain', async () => {
    const sender = await transactor(1)
    await sender.transfer(to, 1n)
    const snapshot = await node('evm_snapshot')
    for (let at = 0; at < 3; at += 1) await sender.transfer(to, 1n)
    await node('evm_revert', snapshot)
    const receipts = await Promise.all([2n, 3n, 4n].map((value) => sender.transfer(to, value)))
    expect(receipts.map(({ status }) => status)).toEqual(['success', 'success', 'success'])
  })

  it('after a reorganization that dropped its transactions', async () => {
    const sender = await transactor(2)
    for (let at = 0; at < 3; at += 1) await sender.transfer(to, 1n)
    await node('anvil_reorg', 2, [])
    expect((await sender.transfer(to, 5n)).status).toBe('success')
  })

  it('if its transaction was mined after the timeout', async () => {
    const hasty = await transactor(3, 1)
    await unmined(() => expect(hasty.transfer(to, 1n)).rejects.toThrow('was not mined within 1 ms'))
    expect((await (await transactor(3)).transfer(to, 2n)).status).toBe('success')
  })
})

describe('a transactor whose transaction is not mined', () => {
  it('resends a dropped transaction, and those after it', async () => {
    const sender = await transactor(4)
    const before = await sender.client.getTransactionCount({ address: sender.account.address })
    const sending = unmined(async () => {
      const sent = [sender.transfer(to, 1n), sender.transfer(to, 2n)]
      await expect.poll(() => pooled(sender.account.address)).toHaveLength(2)
      const [{ hash }] = (await pooled(sender.account.address)) as unknown as [{ hash: Hash }]
      await node('anvil_dropTransaction', hash)
      await expect.poll(() => pooled(sender.account.address)).toHaveLength(2)
      return sent
    })
    const receipts = await Promise.all(await sending)
    expect(receipts.map(({ status }) => status)).toEqual(['success', 'success'])
    const after = await sender.client.getTransactionCount({ address: sender.account.address })
    expect(after).toBe(before + 2)
  })

  it('reports it, and continues with it when the call is repeated', async () => {
    const sender = await transactor(5, 300)
    const { address } = sender.account
    await unmined(async () => {
      for (let at = 0; at < 3; at += 1)
        await expect(sender.transfer(to, 7n)).rejects.toMatchObject({
          code: 'not-mined',
          message: expect.stringMatching(/not mined within 300 ms: it is pending/),
        })
      expect(await pooled(address)).toHaveLength(1)
    })
    expect((await sender.transfer(to, 7n)).status).toBe('success')
    expect(await sender.client.getTransactionCount({ address })).toBe(1)
  })

  it('increases its fee when the call is repeated and the fee is too low', async () => {
    const sender = await transactor(6, 300)
    const { address } = sender.account
    await node('evm_setAutomine', false)
    try {
      await expect(sender.transfer(to, 8n)).rejects.toThrow('it is pending')
      const [{ hash }] = (await pooled(address)) as unknown as [{ hash: Hash }]
      await node('anvil_setNextBlockBaseFeePerGas', '0x2540be400')
      await node('evm_mine')
      await expect(sender.transfer(to, 8n)).rejects.toMatchObject({ code: 'not-mined' })
      const [replaced, ...others] = await pooled(address)
      expect(others).toEqual([])
      expect(replaced!.hash).not.toBe(hash)
    } finally {
      await node('evm_setAutomine', true)
      await node('evm_mine')
    }
  })
})

describe('a transactor with an empty account', () => {
  it('reports account, required amount and balance, and continues when it is funded', async () => {
    const sender = await transactor(7)
    const { address } = sender.account
    await sender.transfer(to, 1n)
    const full = await node('eth_getBalance', address, 'latest')
    await node('anvil_setBalance', address, '0x5')
    await expect(sender.transfer(to, 1n)).rejects.toMatchObject({
      code: 'insufficient-funds',
      message: expect.stringMatching(
        new RegExp(`insufficient funds of account ${address}: .* needs up to \\d+ wei.* has 5 wei`),
      ),
    })
    await node('anvil_setBalance', address, full)
    expect((await sender.transfer(to, 1n)).status).toBe('success')
  })
})

describe('a transactor whose node was restarted', () => {
  it('continues with the new state of the node, and reports the outage', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'transactor-faults-'))
    const loadState = join(directory, 'state.json')
    const port = await freePort()
    let own = await startAnvil({ port })
    try {
      const account = devAccount(8)
      const sender = await createTransactor({ rpcUrl: own.url, account })
      await sender.transfer(to, 1n)
      await sender.transfer(to, 1n)
      writeFileSync(loadState, await stateOf(own.url))
      await own.stop()
      await expect(sender.transfer(to, 1n)).rejects.toMatchObject({ code: 'unreachable' })
      own = await startAnvil({ port, loadState })
      expect((await sender.transfer(to, 2n)).status).toBe('success')
      await sender.transfer(to, 3n)
      process.kill(own.pid!, 'SIGKILL')
      await own.stop()
      // Nothing of it is left.
      own = await startAnvil({ port })
      expect((await sender.transfer(to, 4n)).status).toBe('success')
    } finally {
      await own.stop()
      rmSync(directory, { recursive: true })
    }
  })
})
