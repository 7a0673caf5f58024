import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writeGeneration } from 'polgate-lib/files/generations.ts'
import { dumpState, latestBlock } from './dumpState.ts'

export type StateSaverOptions = {
  readonly rpcUrl: string
  /** Mark of the newest generation. */
  readonly path: string
  /** The latest block of the generation that the chain started with, which is not written again. */
  readonly keptHash: string | undefined
  readonly warn: (line: string) => void
  /** Poll interval for new blocks, milliseconds. Default 1,000. */
  readonly intervalMs?: number
}

export type StateSaver = {
  /** Writes the state if there is a new block, and keeps polling. */
  start(): Promise<void>
  /** Writes the state a last time, including that of the latest blocks. Never rejects. */
  stop(): Promise<void>
}

/** The wait before the next write, as a multiple of the duration of the last one. */
const costFactor = 10
const dumpTimeoutMs = 60_000
/** Deadline of the final write; the state without that of past blocks is on disk by then. */
const endTimeoutMs = 10_000
const warnEveryMs = 60_000

/**
 * Persists the state of a chain in two generations. It is written when the latest block has
 * changed, at most once a second, and less often the longer a write takes. If a write fails, the
 * chain continues, a warning is emitted, and the next poll retries.
 */
export function createStateSaver(options: StateSaverOptions): StateSaver {
  const { rpcUrl, path, warn, intervalMs = 1_000 } = options
  const ending = new AbortController()
  let keptHash = options.keptHash
  let running: Promise<void> | undefined
  let failing: { readonly warnedAt: number } | undefined

  /** Duration of the write in milliseconds; undefined if nothing was new. */
  async function save(): Promise<number | undefined> {
    const began = performance.now()
    const signal = AbortSignal.timeout(dumpTimeoutMs)
    const { hash, number } = await latestBlock(rpcUrl, signal)
    if (hash === keptHash) return undefined
    // A block mined meanwhile may be in the dump; then the next poll writes once more.
    await writeGeneration(path, dumpState(rpcUrl, { signal }), number)
    keptHash = hash
    return performance.now() - began
  }

  async function look(): Promise<number> {
    try {
      const took = (await save()) ?? 0
      if (failing !== undefined) warn(`The state of the chain is written to ${dirname(path)} again`)
      failing = undefined
      return Math.max(intervalMs, took * costFactor)
    } catch (error) {
      complain(error)
      return intervalMs
    }
  }

  function complain(error: unknown): void {
    const now = performance.now()
    if (failing !== undefined && now - failing.warnedAt < warnEveryMs) return
    failing = { warnedAt: now }
    warn(
      `The state of the chain cannot be written to ${dirname(path)}: ${reasonOf(error)}. The chain continues; blocks since the last write are lost if it stops before this is resolved.`,
    )
  }

  async function run(): Promise<void> {
    let wait = intervalMs
    while (!ending.signal.aborted) {
      await pause(wait, undefined, { signal: ending.signal, ref: false }).catch(() => {})
      if (!ending.signal.aborted) wait = await look()
    }
  }

  return {
    async start() {
      await save()
      running ??= run()
    },
    async stop() {
      ending.abort()
      if (running === undefined) return
      await running
      try {
        if ((await save()) === undefined && keptHash === options.keptHash) return
        const signal = AbortSignal.timeout(endTimeoutMs)
        const { number } = await latestBlock(rpcUrl, signal)
        await writeGeneration(path, dumpState(rpcUrl, { withRecentStates: true, signal }), number)
      } catch (error) {
        // A timeout here is not a loss: the main state was written.
        if ((error as Error).name !== 'TimeoutError') complain(error)
      }
    },
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the quota is exceeded; free some space',
  EFBIG: 'the file exceeds the file size limit; raise it (ulimit -f)',
  EROFS: 'the file system is read-only; mount it read-write',
  EACCES: 'permission denied; make the folder writable',
  EPERM: 'permission denied; make the folder writable',
  ENOENT: 'the folder was deleted; create it again',
}

function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: string; message: string; cause?: Error }
  if (code !== undefined && reasons[code] !== undefined) return reasons[code]
  return `${message}${cause instanceof Error ? ` (${cause.message})` : ''}`.slice(0, 300)
}
