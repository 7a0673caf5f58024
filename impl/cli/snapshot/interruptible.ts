import { endingSignal, exitCodeOf } from '../signals.ts'

/**
 * Runs something that Ctrl-C has clean up after itself; a second Ctrl-C ends the process at once.
 * The exit code is that of the signal then.
 */
export async function interruptible(
  what: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController()
  let code: number | undefined
  endingSignal().then((name) => {
    code = exitCodeOf(name)
    controller.abort(new Error(`told to end by ${name}`))
  })
  try {
    await work(controller.signal)
  } catch (error) {
    if (code === undefined) throw error
    console.error(`interrupted: ${what}`)
    process.exitCode = code
  }
}
