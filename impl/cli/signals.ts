import { errorText } from 'polgate-lib/errors/errorText.ts'
import { exitNow } from './exit.ts'
import { exitCodeOf } from './exitCodeOf.ts'

/** npm and the terminal both pass Ctrl-C on, so one press arrives twice within this time. */
const sameSignalMs = 100

let ending: Promise<NodeJS.Signals> | undefined

/**
 * Resolves when the process receives a termination signal. A second signal, other than an echo of the
 * first, exits immediately. All callers share one set of listeners.
 */
export function endingSignal(): Promise<NodeJS.Signals> {
  ending ??= new Promise((resolve) => {
    let told = false
    let echoesOver = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (echoesOver) exitNow(exitCodeOf(signal))
      if (told) return
      told = true
      // A busy process receives an echo late: signals pending by then are delivered before an immediate.
      const end = () => {
        echoesOver = true
      }
      setTimeout(() => setImmediate(end), sameSignalMs).unref()
      resolve(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  })
  return ending
}

/** Closes before the process exits; what fails is printed, and the exit code is that of the command. */
export const closeBeforeExit = (close: () => Promise<unknown>): Promise<void> =>
  close().then(
    () => {},
    (error) => console.error(errorText(error)),
  )

/**
 * Resolves when the process that started this one is gone.
 *
 * @param parent its process id, where it may be gone before this process has looked
 */
export function parentGone(
  parent: number = process.ppid,
  everyMs = 500,
): { readonly gone: Promise<void>; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  const gone = new Promise<void>((resolve) => {
    timer = setInterval(() => {
      if (process.ppid !== parent) resolve()
    }, everyMs)
    timer.unref()
  })
  return { gone, stop: () => clearInterval(timer) }
}
