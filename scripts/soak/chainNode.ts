import { rename, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { type RunningAnvil, startAnvil } from 'polgate-chain/anvil.ts'

/** An Anvil that is persisted like a node of its own: a kill loses the blocks of the last seconds. */
export type ChainNode = {
  readonly url: string
  /** @throws Error with the message of the node */
  rpc<T>(method: string, params?: readonly unknown[]): Promise<T>
  /** SIGKILL; waits for the end of the process. */
  kill(): Promise<void>
  /** Starts it again on its port, from the last persisted state. */
  restart(): Promise<void>
  /** Stops the process where it is (SIGSTOP): it accepts connections and answers nothing. */
  hold(): void
  release(): void
  /** The oldest block whose state the node has: one that restarts keeps the latest state alone. */
  oldestState(): number
  /** Persists the chain now, unless it lacks blocks. */
  persist(): Promise<void>
  /**
   * Whether the node has every one of its latest blocks. Anvil loses some now and then when it goes
   * back, which no chain does: it is then started again from its last whole state.
   */
  isWhole(): Promise<boolean>
  /**
   * Does something while no block is mined and nothing is persisted. Anvil neither goes back nor dumps
   * atomically: a block mined meanwhile leaves events without the state that belongs to them.
   */
  withoutMining<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Blocks that are asked for to see whether some are lost: more than one fault takes back. */
const lookedAt = 200
/** Milliseconds between two states on disk. */
const persistEvery = 3_000

/**
 * Takes over a running Anvil: dumps its state, ends it, and starts it again on the same port under
 * control of this script.
 */
export async function takeOverNode(anvil: RunningAnvil, stateFile: string): Promise<ChainNode> {
  const { port, chainId, url } = anvil
  let current = anvil
  let persisting: Promise<void> | undefined
  let paused = 0
  let closed = false

  async function rpc<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(20_000),
    })
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
  async function still<T>(work: () => Promise<T>): Promise<T> {
    const mines = await rpc<boolean>('anvil_getAutomine')
    if (!mines) return work()
    await rpc('evm_setAutomine', [false])
    try {
      return await work()
    } finally {
      await rpc('evm_setAutomine', [true])
      await rpc('evm_mine')
    }
  }
  async function withoutMining<T>(work: () => Promise<T>): Promise<T> {
    paused += 1
    try {
      await persisting?.catch(() => {})
      return await still(work)
    } finally {
      paused -= 1
    }
  }
  async function isWhole(): Promise<boolean> {
    const head = Number(await rpc<string>('eth_blockNumber'))
    const numbers = Array.from({ length: Math.min(head + 1, lookedAt) }, (_, at) => head - at)
    const blocks = await Promise.all(
      numbers.map((number) => rpc('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])),
    )
    return blocks.every((block) => block !== null)
  }
  async function write(): Promise<void> {
    const dump = await still(async () =>
      (await isWhole()) ? await rpc<string>('anvil_dumpState') : undefined,
    )
    if (dump === undefined) return
    await writeFile(`${stateFile}.part`, gunzipSync(Buffer.from(dump.slice(2), 'hex')))
    await rename(`${stateFile}.part`, stateFile)
  }
  const persist = () => {
    persisting ??= write().finally(() => {
      persisting = undefined
    })
    return persisting
  }
  let oldest = 0
  const restart = async () => {
    current = await startAnvil({ port, chainId, loadState: stateFile })
    oldest = Number(await rpc<string>('eth_blockNumber'))
  }

  await write()
  await anvil.stop()
  await restart()
  const timer = setInterval(() => {
    if (!closed && paused === 0) persist().catch(() => {})
  }, persistEvery)
  timer.unref()

  return {
    url,
    rpc,
    oldestState: () => oldest,
    persist,
    isWhole,
    withoutMining,
    restart,
    async kill() {
      process.kill(current.pid!, 'SIGKILL')
      await current.stop()
    },
    hold: () => process.kill(current.pid!, 'SIGSTOP'),
    release: () => process.kill(current.pid!, 'SIGCONT'),
    async close() {
      closed = true
      clearInterval(timer)
      await persisting?.catch(() => {})
      await current.stop()
    },
  }
}
