import { rename, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { type RunningAnvil, startAnvil } from 'polgate-chain/anvil.ts'

/** An Anvil with persistence like a real node: a kill loses the blocks of the last seconds. */
export type ChainNode = {
  readonly url: string
  /** @throws Error with the message of the node */
  rpc<T>(method: string, params?: readonly unknown[]): Promise<T>
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>
  /** Restarts it on its port, from the last persisted state. */
  restart(): Promise<void>
  /** Suspends the process (SIGSTOP): it accepts connections and does not respond. */
  hold(): void
  release(): void
  /** The oldest block whose state the node has; after a restart only the latest state. */
  oldestState(): number
  /** Persists the chain now, unless blocks are missing. */
  persist(): Promise<void>
  /**
   * Whether the node has all of its latest blocks. Anvil sometimes loses some on a revert, unlike
   * real chains; it is then restarted from its last complete state.
   */
  isWhole(): Promise<boolean>
  /**
   * Runs an operation while no block is mined and nothing is persisted. Anvil neither reverts nor
   * dumps atomically: a block mined meanwhile leaves events without their state.
   */
  withoutMining<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Number of latest blocks to check for missing ones: more than a fault reverts. */
const lookedAt = 200
/** Interval of persisted states, milliseconds. */
const persistEvery = 3_000

/**
 * Takes over a running Anvil: dumps its state, stops it, and starts it again on the same port under
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
      await blockEnded()
      return await work()
    } finally {
      await rpc('evm_setAutomine', [true])
      await rpc('evm_mine')
    }
  }
  const head = async () => Number(await rpc<string>('eth_blockNumber'))
  /** A block that had begun when mining was switched off is still executed, which takes a moment. */
  async function blockEnded(): Promise<void> {
    for (let before = await head(); ; ) {
      await new Promise((resolve) => setTimeout(resolve, 150))
      const now = await head()
      if (now === before) return
      before = now
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
    const latest = await head()
    const numbers = Array.from({ length: Math.min(latest + 1, lookedAt) }, (_, at) => latest - at)
    const blocks = await Promise.all(
      numbers.map((number) => rpc('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])),
    )
    return blocks.every((block) => block !== null)
  }
  async function write(): Promise<void> {
    const dump = await still(async () => {
      const before = await head()
      if (!(await isWhole())) return undefined
      const state = await rpc<string>('anvil_dumpState')
      // State of a block without the block: results that the contract knows and no event shows.
      return (await head()) === before ? state : undefined
    })
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
