import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount, devPrivateKeys } from './accounts.ts'
import { type RunningAnvil, startAnvil } from './anvil.ts'
import { sampleTokenAbi, taskManagerAbi } from './artifacts/abis.ts'
import { deployProtocol, deploySampleToken } from './deploy.ts'
import { ChainWriteError } from './errors.ts'
import { createTransactor } from './transactor.ts'

let anvil: RunningAnvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

const transactor = (index = 0) =>
  createTransactor({ rpcUrl: anvil.url, account: devAccount(index) })

describe('a transactor', () => {
  it('sends many transactions concurrently, each once', async () => {
    const { write, account, client } = await transactor()
    const address = await deploySampleToken(await transactor(), 1_000n)
    const token = { address, abi: sampleTokenAbi } as const
    const recipient = devAccount(3).address
    const receipts = await Promise.all(
      Array.from({ length: 25 }, () =>
        write({ ...token, functionName: 'transfer', args: [recipient, 2n] }),
      ),
    )
    expect(new Set(receipts.map((receipt) => receipt.transactionHash)).size).toBe(25)
    const balanceOf = { ...token, functionName: 'balanceOf' } as const
    expect(await client.readContract({ ...balanceOf, args: [recipient] })).toBe(50n)
    expect(await client.readContract({ ...balanceOf, args: [account.address] })).toBe(950n)
  })

  it('continues if another transactor sends from the same account', async () => {
    const [one, two] = [await transactor(1), await transactor(1)]
    const to = devAccount(4).address
    const before = await one.client.getBalance({ address: to })
    for (const sender of [one, two, one, two]) await sender.transfer(to, 1n)
    expect((await one.client.getBalance({ address: to })) - before).toBe(4n)
  })

  it('reports the custom error of a reverted call, and continues after it', async () => {
    const owner = await transactor(2)
    const { taskManager } = await deployProtocol(owner)
    const stranger = await transactor(5)
    const call = {
      address: taskManager,
      abi: taskManagerAbi,
      functionName: 'setAggregator',
      args: [stranger.account.address, true],
    } as const
    const refused = await stranger.write(call).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ChainWriteError)
    expect(refused).toMatchObject({
      errorName: 'OwnableUnauthorizedAccount',
      message: `Transaction failed: setAggregator: OwnableUnauthorizedAccount(${stranger.account.address})`,
    })
    await owner.write(call)
  })

  it('reports an unresponsive chain', async () => {
    const settings = { rpcUrl: 'http://127.0.0.1:1', account: devAccount(0) }
    await expect(createTransactor(settings)).rejects.toThrow(
      'Transaction failed: the chain does not respond',
    )
  })
})

describe('development accounts', () => {
  it('are those of the well-known mnemonic', () => {
    const mnemonic = `${'test '.repeat(11)}junk`
    devPrivateKeys.forEach((_, addressIndex) => {
      expect(devAccount(addressIndex).address).toBe(
        mnemonicToAccount(mnemonic, { addressIndex }).address,
      )
    })
    expect(() => devAccount(10)).toThrow(RangeError)
  })
})
