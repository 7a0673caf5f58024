import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { devAccount } from 'polgate-chain/accounts.ts'
import { createChainClient } from 'polgate-chain/client.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { besideOf } from 'polgate-lib/files/generations.ts'
import { mountSmallDisk, type SmallDisk } from 'polgate-lib/files/smallDisk.fixture.ts'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PersistentChain, startPersistentChain } from './persistentChain.ts'

let home: string
let path: string
let warnings: string[]
let running: PersistentChain[]
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'kept-chain-'))
  path = join(home, 'chain.json')
  warnings = []
  running = []
})
afterEach(async () => {
  for (const chain of running) await chain.stop()
  await rm(home, { recursive: true, force: true })
})

async function start(): Promise<PersistentChain> {
  const chain = await startPersistentChain(
    { anvil: {}, path, warn: (line) => warnings.push(line), intervalMs: 50 },
    undefined,
  )
  running.push(chain)
  await chain.keep()
  return chain
}
const to = devAccount(3).address
const begin = 10_000n * 10n ** 18n
async function transfer(chain: PersistentChain, times = 1): Promise<number> {
  const sender = await createTransactor({ rpcUrl: chain.url, account: devAccount(0) })
  let block = 0n
  for (let n = 0; n < times; n++) block = (await sender.transfer(to, 1n)).blockNumber
  return Number(block)
}
const blockOf = async (chain: PersistentChain) =>
  Number(await createChainClient({ rpcUrl: chain.url }).getBlockNumber())
async function markOf(file: string) {
  const { kept } = JSON.parse(await readFile(file, 'utf8')) as { kept: { mark: string } }
  return Number(kept.mark)
}

describe('a persistent chain', { timeout: 600_000 }, () => {
  it('continues where it stopped, with readable history', async () => {
    const first = await start()
    const block = await transfer(first, 3)
    await first.stop()
    const second = await start()
    const client = createChainClient({ rpcUrl: second.url })
    expect(await blockOf(second)).toBe(block)
    expect(await client.getBalance({ address: to })).toBe(begin + 3n)
    for (const at of [0n, 1n, 2n])
      expect(await client.getBalance({ address: to, blockNumber: at })).toBe(begin + at)
    await second.stop()
    const third = await start()
    expect(
      await createChainClient({ rpcUrl: third.url }).getBalance({ address: to, blockNumber: 1n }),
    ).toBe(begin + 1n)
    expect(warnings).toEqual([])
  })

  it('is written only when there is a new block', async () => {
    const chain = await start()
    const written = async () => (await stat(path)).ino
    const atFirst = await written()
    await pause(500)
    expect(await written()).toBe(atFirst)
    const block = await transfer(chain)
    await expect.poll(() => markOf(path)).toBe(block)
    expect(await markOf(besideOf(path, 'previous'))).toBe(0)
    // A revert is a change too.
    const client = createChainClient({ rpcUrl: chain.url })
    const rpc = client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>
    const snapshot = await rpc({ method: 'evm_snapshot', params: [] })
    await transfer(chain)
    await expect.poll(() => markOf(path)).toBe(block + 1)
    await rpc({ method: 'evm_revert', params: [snapshot] })
    await expect.poll(() => markOf(path)).toBe(block)
    const last = await written()
    await pause(500)
    expect(await written()).toBe(last)
    await chain.stop()
    const again = await start()
    const inode = await written()
    await again.stop()
    expect(await written()).toBe(inode)
  })

  it('stores the states of the latest blocks only', async () => {
    const chain = await start()
    const client = createChainClient({ rpcUrl: chain.url })
    const rpc = client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>
    await rpc({ method: 'anvil_mine', params: ['0x12c'] })
    await chain.stop()
    const state = JSON.parse(await readFile(path, 'utf8')) as { historical_states: unknown[] }
    expect(state.historical_states.length).toBeGreaterThan(100)
    expect(state.historical_states.length).toBeLessThanOrEqual(256)
    expect(await blockOf(await start())).toBe(300)
  })

  it('falls back to the previous generation if the newest is damaged, and reports what is lost', async () => {
    const first = await start()
    const block = await transfer(first, 4)
    await first.stop()
    const { size } = await stat(path)
    // An earlier state of this chain, as the previous generation.
    const other = await start()
    await transfer(other, 2)
    await expect.poll(() => markOf(path)).toBe(block + 2)
    await copyFile(path, join(home, 'newest'))
    await other.stop()
    await copyFile(join(home, 'newest'), path)
    const before = await markOf(besideOf(path, 'previous'))
    await truncate(path, Math.floor(size / 2))
    const again = await start()
    expect(await blockOf(again)).toBe(before)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(home)
    expect(warnings[0]).toContain(`at block ${before}; ${block + 2 - before} blocks are lost`)
    expect(existsSync(besideOf(path, 'damaged'))).toBe(true)
  })

  it.each([
    ['empty', ''],
    ['cut off', '{"block":{"number":"0x1"'],
    ['another format', '{"hello":"world"}'],
    ['binary', '\u0000\u0001\u0002'],
  ])('reports the folder and the next step when the only state is %s', async (_, text) => {
    await writeFile(path, text)
    const error = (await start().catch((thrown: unknown) => thrown)) as Error & { hint: string }
    expect(error.name).toBe('ChainStateError')
    expect(error.message).toContain(`The state of the chain in ${home} is damaged`)
    expect(error.hint).toContain(`polgate snapshot load FILE --data-dir ${home} --replace`)
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  it.skipIf(process.platform === 'win32')(
    'restarts after every SIGKILL with all but the most recent state',
    async () => {
      const script = `
        import { startPersistentChain } from ${JSON.stringify(new URL('./persistentChain.ts', import.meta.url).href)}
        import { createTransactor } from ${JSON.stringify(new URL('../../../chain/transactor.ts', import.meta.url).href)}
        import { devAccount } from ${JSON.stringify(new URL('../../../chain/accounts.ts', import.meta.url).href)}
        const chain = await startPersistentChain({ anvil: {}, path: ${JSON.stringify(path)}, warn: console.error, intervalMs: 20 }, undefined)
        await chain.keep()
        const sender = await createTransactor({ rpcUrl: chain.url, account: devAccount(0) })
        for (;;) console.log(Number((await sender.transfer(devAccount(3).address, 1n)).blockNumber))`
      let kept = 0
      for (let round = 0; round < 3; round++) {
        const child = spawn(
          process.execPath,
          ['--import', 'tsx', '--input-type=module', '-e', script],
          {
            stdio: ['ignore', 'pipe', 'inherit'],
          },
        )
        const exit = once(child, 'exit')
        const lines = createInterface({ input: child.stdout })
        let blocks = 0
        for await (const line of lines) {
          expect(Number(line)).toBeGreaterThan(kept)
          blocks += 1
          if (blocks === 5) break
        }
        expect(blocks).toBe(5)
        await pause(Math.random() * 300)
        child.kill('SIGKILL')
        await exit
        const onDisk = existsSync(path) ? await markOf(path) : 0
        expect(onDisk).toBeGreaterThanOrEqual(kept)
        kept = onDisk
      }
      expect(await blockOf(await start())).toBeGreaterThanOrEqual(kept)
      expect(warnings).toEqual([])
    },
  )
})

const disk = mountSmallDisk('1m')

describe.runIf(disk !== undefined)(
  'a persistent chain on a full disk',
  { timeout: 240_000 },
  () => {
    const { directory, fill, free, close } = disk ?? ({} as SmallDisk)
    afterAll(close)

    it('continues, warns once, and is written again when there is space', async () => {
      path = join(directory, 'chain.json')
      const chain = await start()
      const first = await transfer(chain)
      await expect.poll(() => markOf(path)).toBe(first)
      fill()
      const block = await transfer(chain, 3)
      await expect.poll(() => warnings.length).toBe(1)
      expect(warnings[0]).toContain(`cannot be written to ${directory}: the disk is full`)
      expect(await markOf(path)).toBe(first)
      free()
      await expect.poll(() => markOf(path)).toBe(block)
      expect(warnings.slice(1)).toEqual([`The state of the chain is written to ${directory} again`])

      fill()
      const lost = await transfer(chain)
      await chain.stop()
      free()
      expect(await blockOf(await start())).toBe(block)
      expect(lost).toBe(block + 1)
    })
  },
)
