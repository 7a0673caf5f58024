import { exitCodeOf } from '../exitCodeOf.ts'
import { endingSignal } from '../signals.ts'

/**
 * Runs work that Ctrl-C aborts so that it can clean up; a second Ctrl-C exits immediately. When
 * interrupted, the exit code is that of the signal.
 */
export async function interruptible(
  what: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController()
  let code: number | undefined
  endingSignal().then((name) => {
    code = exitCodeOf(name)
    controller.abort(new Error(`interrupted by ${name}`))
  })
  try {
    await work(controller.signal)
  } catch (error) {
    if (code === undefined) throw error
    console.error(`interrupted: ${what}`)
    process.exitCode = code
  }
}
