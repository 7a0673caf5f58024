import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { readDumpedState } from 'polgate-service/snapshot/dumpedState.ts'
import { recentStates } from './recentStates.ts'

/** Enough for all tasks in flight, and for recent history. */
const blocksWithState = 256

export type LatestBlock = { readonly number: number; readonly hash: string }

export type DumpOptions = {
  /**
   * Whether to include the states of the latest blocks, so that reads at these blocks work after a
   * restart.
   */
  readonly withRecentStates?: boolean
  readonly signal?: AbortSignal
}

/**
 * The state of an Anvil as a stream of JSON that it can load: accounts, blocks and transactions.
 * Without the states of blocks it takes a few megabytes and a tenth of a second.
 *
 * @throws SnapshotError, and connection errors
 */
export async function* dumpState(
  rpcUrl: string,
  { withRecentStates = false, signal }: DumpOptions = {},
): AsyncGenerator<Uint8Array> {
  const wanted = withRecentStates ? await recentBlocks(rpcUrl, signal) : new Set<string>()
  const response = await post(rpcUrl, call('anvil_dumpState', [withRecentStates]), signal)
  const unpacked = createGunzip()
  const packed = Readable.from(readDumpedState(response), { objectMode: false })
  // `pipe` does not pass errors on, and one without a listener ends the process.
  packed.on('error', (error) => unpacked.destroy(error))
  packed.pipe(unpacked)
  yield* withRecentStates ? recentStates(unpacked, wanted) : unpacked
}

/** @throws connection errors */
export async function latestBlock(rpcUrl: string, signal?: AbortSignal): Promise<LatestBlock> {
  const response = await post(rpcUrl, call('eth_getBlockByNumber', ['latest', false]), signal)
  const { result } = (await response.json()) as { result: { number: string; hash: string } }
  return { number: Number(result.number), hash: result.hash.toLowerCase() }
}

async function recentBlocks(rpcUrl: string, signal?: AbortSignal): Promise<ReadonlySet<string>> {
  const { number: last } = await latestBlock(rpcUrl, signal)
  const first = Math.max(0, last - blocksWithState + 1)
  const calls = Array.from({ length: last - first + 1 }, (_, at) =>
    call('eth_getBlockByNumber', [`0x${(first + at).toString(16)}`, false]),
  )
  const answers = (await (await post(rpcUrl, calls, signal)).json()) as {
    result?: { hash: string } | null
  }[]
  return new Set(answers.flatMap(({ result }) => (result ? [result.hash.toLowerCase()] : [])))
}

const call = (method: string, params: readonly unknown[]) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
})

const post = (rpcUrl: string, body: unknown, signal: AbortSignal | undefined) =>
  fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
