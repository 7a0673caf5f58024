import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'

/** Timers and a clock in milliseconds; tests inject theirs. */
export type Timers = {
  readonly now: () => number
  readonly set: (work: () => void, ms: number) => unknown
  readonly clear: (timer: unknown) => void
}

export type RunFacts = {
  /** When the first change was noticed that no run has finished, as of the clock of the timers. */
  readonly since: number
  readonly signal: AbortSignal
}

export type RerunOptions = {
  /** A digest of the content of each file that counts, by path. */
  readonly scan: () => Promise<ReadonlyMap<string, string>>
  /**
   * Does what the changed files need. Aborted when another one changes: the next run has the files of this one too,
   * as after a run that resolves to false.
   */
  readonly run: (changed: readonly string[], about: RunFacts) => Promise<boolean>
  /** Receives what a run throws that was not aborted. */
  readonly failed: (error: unknown) => void
  /** Quiet time after a save before the files are read, milliseconds. */
  readonly settleMs?: number
  /** They are read after this time even if saves go on. */
  readonly mostMs?: number
  readonly timers?: Timers
}

export type Rerun = {
  /** Something in the folder may have changed. The first time, everything has. */
  touch(): void
  /** Aborts a run, and resolves when it has ended; nothing runs afterwards. */
  close(): Promise<void>
}

/** Editors write a file in several steps. */
const usualSettleMs = 60
const usualMostMs = 500

const systemTimers: Timers = {
  now: () => performance.now(),
  set: (work, ms) => setTimeout(work, ms),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
}

/**
 * Runs after changes of content: saves in quick succession make one run, a save during a run restarts it, and an event
 * without another content makes none. Files are compared again at the end of each run, so that a lost event is
 * noticed then.
 */
export function createRerun(options: RerunOptions): Rerun {
  const { scan, run, failed, timers = systemTimers } = options
  const { settleMs = usualSettleMs, mostMs = usualMostMs } = options
  const looks = createSerialQueue()
  /** Changed, and not yet part of a run that ended. */
  const pending = new Set<string>()
  let seen: ReadonlyMap<string, string> = new Map()
  let timer: unknown
  let since: number | undefined
  let pendingSince = 0
  let running: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined
  let closed = false

  async function look(): Promise<void> {
    const noticed = since ?? timers.now()
    since = undefined
    timer = undefined
    if (closed) return
    const found = await scan()
    const changed = differences(seen, found)
    seen = found
    if (changed.length === 0 || closed) return
    if (pending.size === 0) pendingSince = noticed
    for (const path of changed) pending.add(path)
    running?.abort.abort(new Error('a file has changed again'))
    await running?.ended
    if (!closed) start()
  }

  function start(): void {
    const files = [...pending].sort()
    const abort = new AbortController()
    const ended = run(files, { since: pendingSince, signal: abort.signal }).then(
      (done) => {
        if (abort.signal.aborted || !done) return
        for (const path of files) pending.delete(path)
      },
      (error: unknown) => {
        if (!abort.signal.aborted) failed(error)
      },
    )
    const own = {
      abort,
      ended: ended.finally(() => {
        if (running === own) running = undefined
        touch()
      }),
    }
    running = own
  }

  function touch(): void {
    if (closed) return
    const now = timers.now()
    since ??= now
    if (timer !== undefined) timers.clear(timer)
    const left = Math.max(0, since + mostMs - now)
    timer = timers.set(() => void looks.run(look).catch(failed), Math.min(settleMs, left))
  }

  return {
    touch,
    async close() {
      closed = true
      if (timer !== undefined) timers.clear(timer)
      running?.abort.abort(new Error('the command ends'))
      await looks.idle()
      await running?.ended
    },
  }
}

/** Paths that were added, removed, or have another content. */
function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const changed = [...after].filter(([path, digest]) => before.get(path) !== digest)
  const removed = [...before.keys()].filter((path) => !after.has(path))
  return [...changed.map(([path]) => path), ...removed]
}
