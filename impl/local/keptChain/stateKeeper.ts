import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writeGeneration } from 'polgate-lib/files/generations.ts'
import { dumpState, latestBlock } from './dumpState.ts'

export type StateKeeperOptions = {
  readonly rpcUrl: string
  /** Of the newest generation. */
  readonly path: string
  /** The latest block of the generation that the chain was started with: it is not written again. */
  readonly keptHash: string | undefined
  readonly warn: (line: string) => void
  /** Milliseconds from one look for a new block to the next. Default 1,000. */
  readonly intervalMs?: number
}

export type StateKeeper = {
  /** Writes the state when there is a new block, and from now on looks for one again and again. */
  start(): Promise<void>
  /** Writes the state a last time, with that of the latest blocks. Never fails. */
  stop(): Promise<void>
}

/** A write that takes long makes the next one wait so many times longer. */
const costFactor = 10
const dumpTimeoutMs = 60_000
/** How long the end may take: the state without that of past blocks is kept by then. */
const endTimeoutMs = 10_000
const warnEveryMs = 60_000

/**
 * Keeps the state of a chain on disk in two generations. It is written when the latest block is
 * another one, at most once a second, and less often the longer a write takes. When it cannot be
 * written, the chain goes on, a warning says so, and the next look tries again.
 */
export function createStateKeeper(options: StateKeeperOptions): StateKeeper {
  const { rpcUrl, path, warn, intervalMs = 1_000 } = options
  const ending = new AbortController()
  let keptHash = options.keptHash
  let running: Promise<void> | undefined
  let failing: { readonly warnedAt: number } | undefined

  /** How long it took, milliseconds; undefined when there was nothing new. */
  async function save(): Promise<number | undefined> {
    const began = performance.now()
    const signal = AbortSignal.timeout(dumpTimeoutMs)
    const { hash, number } = await latestBlock(rpcUrl, signal)
    if (hash === keptHash) return undefined
    // A block that is made meanwhile may be in the dump: then the next look writes once more.
    await writeGeneration(path, dumpState(rpcUrl, { signal }), number)
    keptHash = hash
    return performance.now() - began
  }

  async function look(): Promise<number> {
    try {
      const took = (await save()) ?? 0
      if (failing !== undefined) warn(`The state of the chain is kept again in ${dirname(path)}`)
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
      `The state of the chain cannot be kept in ${dirname(path)}: ${reasonOf(error)}. The chain goes on; what happens on it until this is resolved is lost when it ends.`,
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
        // One that is slow to dump is no loss: the state itself has been kept.
        if ((error as Error).name !== 'TimeoutError') complain(error)
      }
    },
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full, free some space',
  EDQUOT: 'the quota is used up, free some space',
  EFBIG: 'the file is larger than the process may write, raise the limit (ulimit -f)',
  EROFS: 'the file system is read-only, mount it for writing',
  EACCES: 'permission denied, make the folder writable',
  EPERM: 'permission denied, make the folder writable',
  ENOENT: 'the folder is gone, make it again',
}

function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: string; message: string; cause?: Error }
  if (code !== undefined && reasons[code] !== undefined) return reasons[code]
  return `${message}${cause instanceof Error ? ` (${cause.message})` : ''}`.slice(0, 300)
}
