import { createReadStream } from 'node:fs'
import { createGzip } from 'node:zlib'
import { readDumpedState } from './dumpedState.ts'
import { noAnswer } from './snapshotError.ts'

/** A chain of Anvil whose state is to be kept. */
export type ChainSource = {
  /** What stands on it, as its local stack remembers it; JSON. */
  readonly deployment: Uint8Array
  /** No block is made until the function it resolves with is called; that may be called again. */
  hold(): Promise<() => Promise<void>>
  /** The latest block; undefined for one that does not run. */
  block(): Promise<number | undefined>
  /**
   * Gzipped JSON as Anvil loads it, with the states of past blocks: without those neither a
   * reference block nor a challenge of an earlier task could be read any more.
   */
  state(): AsyncIterable<Uint8Array>
}

/** The chain that a stack left in its data directory. */
export const stoppedChain = (stateFile: string, deployment: Uint8Array): ChainSource => ({
  deployment,
  hold: async () => async () => {},
  block: async () => undefined,
  state: () => createReadStream(stateFile).pipe(createGzip({ level: 1 })),
})

/** A running Anvil. Transactions that come while it is held are mined afterwards. */
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
      // Who mines by hand goes on doing so.
      if (!(await call<boolean>('anvil_getAutomine'))) return async () => {}
      await call('evm_setAutomine', false)
      let held = true
      return async () => {
        if (!held) return
        held = false
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
    throw noAnswer(`no answer to ${method}`, cause)
  })
  if (!response.ok) throw noAnswer(`HTTP ${response.status} to ${method}`)
  return response
}
