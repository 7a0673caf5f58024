import { statSync, watch as watchDirectory } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { stdoutClosed } from '../brokenPipe.ts'

/** Editors write a file in several steps; debounces changes. */
const SETTLE_MS = 80

/**
 * Runs now and after every change of the files that `run` returns, until the signal is aborted.
 */
export async function watchFiles(
  run: () => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const begin = Date.now()
    const files = await run()
    if (!signal.aborted) await nextChange(files, begin, signal)
  }
}

/**
 * Resolves after a change of one of the files since `begin`, unix milliseconds, or when the signal is aborted. A run
 * may have read a file before it changed.
 */
const nextChange = (files: readonly string[], begin: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const wanted = new Set(files.map((file) => resolve(file)))
    // Watches directories, because a replaced file is a new inode.
    const directories = new Set([...wanted].map((file) => dirname(file)))
    let timer: NodeJS.Timeout | undefined
    const end = (): void => {
      clearTimeout(timer)
      watcher.close()
      signal.removeEventListener('abort', end)
      done()
    }
    const watcher = watchDirectories(directories, (path) => {
      if (path !== undefined && !wanted.has(path)) return
      clearTimeout(timer)
      timer = setTimeout(end, SETTLE_MS)
    })
    signal.addEventListener('abort', end)
    for (const file of wanted) {
      const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
      // A time to come, as of a file from another machine, would be a change forever.
      if (changed >= begin && changed <= Date.now()) timer ??= setTimeout(end, SETTLE_MS)
    }
  })

/**
 * Watches directories, without those inside of them.
 *
 * @param changed receives the path of what changed, undefined where it is not known
 */
export function watchDirectories(
  directories: Iterable<string>,
  changed: (path: string | undefined) => void,
): { close(): void } {
  const watchers = [...directories].map((directory) =>
    watchDirectory(directory, (_, name) =>
      changed(name === null ? undefined : resolve(directory, name)),
    ).on('error', () => changed(undefined)),
  )
  return {
    close() {
      for (const watcher of watchers) watcher.close()
    },
  }
}

let interruption: AbortController | undefined

/** A signal that is aborted on SIGINT or SIGTERM, or when nobody reads stdout; shared by all callers. */
export function untilInterrupted(): AbortSignal {
  if (interruption) return interruption.signal
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => controller.abort())
  }
  stdoutClosed().addEventListener('abort', () => controller.abort(), { once: true })
  interruption = controller
  return controller.signal
}
