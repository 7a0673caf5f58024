import { createReadStream } from 'node:fs'
import { createGzip } from 'node:zlib'
import { readDumpedState } from './dumpedState.ts'
import { noAnswer } from './snapshotError.ts'

/** An Anvil chain whose state is saved. */
export type ChainSource = {
  /** The deployed contracts, as recorded by the local stack; JSON. */
  readonly deployment: Uint8Array
  /** Stops mining until the returned function is called; that is idempotent. */
  hold(): Promise<() => Promise<void>>
  /** The latest block; undefined for a stopped chain. */
  block(): Promise<number | undefined>
  /**
   * Gzipped JSON as Anvil loads it, including the states of past blocks, which reference blocks and
   * challenges of earlier tasks require.
   */
  state(): AsyncIterable<Uint8Array>
}

/** The chain in the data directory of a stopped stack. */
export const stoppedChain = (stateFile: string, deployment: Uint8Array): ChainSource => ({
  deployment,
  hold: async () => async () => {},
  block: async () => undefined,
  state: () => createReadStream(stateFile).pipe(createGzip({ level: 1 })),
})

/** A running Anvil. Transactions that arrive while mining is stopped are mined afterwards. */
export function runningChain(rpcUrl: string, deployment: Uint8Array): ChainSource {
  const call = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const response = await send(rpcUrl, method, params)
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
    if (error !== undefined) throw noAnswer(`${method}: ${error.message}`)
    return result
  }
  return {
    deployment,
    async hold() {
      const interval = await call<number | null>('anvil_getIntervalMining')
      // With neither, blocks are mined by hand; leave that unchanged.
      if (interval === null && !(await call<boolean>('anvil_getAutomine'))) return async () => {}
      await call('evm_setAutomine', false)
      let held = true
      return async () => {
        if (!held) return
        held = false
        // The node mines the transactions that have arrived with its next block.
        if (interval !== null) return void (await call('evm_setIntervalMining', interval))
        await call('evm_setAutomine', true)
        const { pending } = await call<{ pending: string }>('txpool_status')
        if (Number(pending) > 0) await call('evm_mine')
      }
    },
    block: async () => Number(await call('eth_blockNumber')),
    async *state() {
      yield* readDumpedState(await send(rpcUrl, 'anvil_dumpState', [true]))
    },
  }
}

async function send(rpcUrl: string, method: string, params: readonly unknown[]): Promise<Response> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }).catch((cause: unknown) => {
    throw noAnswer(`no response to ${method}`, cause)
  })
  if (!response.ok) throw noAnswer(`${method} returned HTTP ${response.status}`)
  return response
}
