import { InvalidArgumentError } from 'commander'
import type { CommandIo } from 'polgate-conformance/commands/world.ts'
import { type ExitCode, exitCode } from 'polgate-conformance/core/verdict.ts'
import { errorText } from 'polgate-lib/errors/errorText.ts'
import { exit } from '../exit.ts'
import { endingSignal, parentGone } from '../signals.ts'
import { detail } from '../verbosity.ts'
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
  // A run that a stack has started ends with it, even where that is killed.
  const parent = Number(env.SVC_PARENT_PID) || undefined
  const gone = parent === undefined ? [] : [parentGone(parent).gone]
  void Promise.race([endingSignal(), ...gone]).then(() => {
    stderr.write('\nstopping ...\n')
    interrupt.abort(new Error('interrupted'))
  })
  try {
    const local = localServices()
    const cwd = process.cwd()
    const io = { stdout, stderr, env, signal: interrupt.signal, cwd, local, detail }
    return exit(await run(io))
  } catch (error) {
    if (interrupt.signal.aborted) return exit(exitCode.interrupted)
    stderr.write(`${errorText(error)}\n`)
    return exit(exitCode.couldNotRun)
  }
}
