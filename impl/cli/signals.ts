/** npm and the terminal both pass Ctrl-C on, so one press arrives twice within this time. */
const sameSignalMs = 100

/**
 * Resolves when the process is told to end. A second signal, later than an echo of the first, ends
 * it at once.
 */
export function endingSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined
    const onSignal = (signal: NodeJS.Signals) => {
      const now = performance.now()
      if (first === undefined) {
        first = now
        resolve(signal)
      } else if (now - first > sameSignalMs) {
        process.exit(exitCodeOf(signal))
      }
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  })
}

export const exitCodeOf = (signal: NodeJS.Signals): number =>
  ({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })[signal as 'SIGINT'] ?? 1

/** Resolves when the process that started this one is gone. */
export function parentGone(everyMs = 500): { readonly gone: Promise<void>; stop(): void } {
  const parent = process.ppid
  let timer: NodeJS.Timeout | undefined
  const gone = new Promise<void>((resolve) => {
    timer = setInterval(() => {
      if (process.ppid !== parent) resolve()
    }, everyMs)
    timer.unref()
  })
  return { gone, stop: () => clearInterval(timer) }
}
