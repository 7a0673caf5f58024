import { InvalidArgumentError } from 'commander'
import type { CommandIo } from 'polgate-conformance/commands/world.ts'
import type { ExitCode } from 'polgate-conformance/core/verdict.ts'
import { errorText } from 'polgate-lib/errors/errorText.ts'
import { localServices } from './localServices.ts'

/** Parses an integer of at least 1. */
export function whole(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('must be an integer of at least 1.')
  return value
}

/** Collects comma-separated and repeated values of an option. */
export const collect = (value: string, previous: readonly string[] = []): readonly string[] => [
  ...previous,
  ...value.split(','),
]

/** Collects repeated values of an option that may contain commas, such as patterns. */
export const repeated = (value: string, previous: readonly string[] = []): readonly string[] => [
  ...previous,
  value,
]

/**
 * Runs a command of the suite and exits with its code. The first interrupt stops the command, which
 * still writes its partial results; the second exits immediately.
 */
export async function runCommand(run: (io: CommandIo) => Promise<ExitCode>): Promise<never> {
  const { stdout, stderr, env } = process
  const interrupt = new AbortController()
  // One key press can arrive twice, from the terminal and from npm.
  let first = 0
  const onSignal = () => {
    if (interrupt.signal.aborted) {
      if (performance.now() - first > 500) process.exit(130)
      return
    }
    first = performance.now()
    stderr.write('\nstopping ...\n')
    interrupt.abort()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  try {
    const local = localServices()
    const io = { stdout, stderr, env, signal: interrupt.signal, cwd: process.cwd(), local }
    process.exit(await run(io))
  } catch (error) {
    stderr.write(`${errorText(error)}\n`)
    process.exit(2)
  }
}
