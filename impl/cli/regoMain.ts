import { tolerateBrokenPipe } from './brokenPipe.ts'
import { exitAfterFailure } from './exit.ts'
import { runProgram } from './program.ts'
import { regoCommands } from './regoCommands.ts'

/**
 * The commands on policies alone, `polgate regorus ...`: what they load is a tenth of `main.ts`, and
 * their start is most of their time.
 */
export async function run(argv: readonly string[]): Promise<void> {
  tolerateBrokenPipe()
  await runProgram(argv, {
    name: 'polgate',
    description: 'Policy evaluation service: reference implementation and conformance suite',
    options: (program) =>
      program.option('--chain-id <number>', 'chain id, for commands that use one'),
    examples: '',
    commands: regoCommands,
  })
  exitAfterFailure()
}
