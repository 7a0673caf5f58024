import { tolerateBrokenPipe } from './brokenPipe.ts'
import type { Commands } from './commandDefinition.ts'
import { exitAfterFailure } from './exit.ts'
import { printDirectly } from './print.ts'
import { runProgram } from './program.ts'

/** Runs a command of a script, which has these alone; call it once. */
export async function runQuick(argv: readonly string[], commands: Commands): Promise<void> {
  tolerateBrokenPipe()
  printDirectly()
  await runProgram(argv, {
    name: 'polgate',
    description: 'Policy evaluation service: reference implementation and conformance suite',
    options: (program) =>
      program.option('--chain-id <number>', 'chain id, for commands that use one'),
    examples: '',
    commands,
  })
  exitAfterFailure()
}
