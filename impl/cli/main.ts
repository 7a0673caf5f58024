import { tolerateBrokenPipe } from './brokenPipe.ts'
import { commands } from './commands.ts'
import { exitAfterFailure } from './exit.ts'
import { type Program, runProgram } from './program.ts'
import { provideLocalServices } from './suite/localServices.ts'

const examples = `
Examples:
  polgate start                            start a local stack: chain, contracts, operators, gateway
  polgate start --exec 'npm run my-tests'  start a stack, run a command, stop the stack
  polgate keys create --permission rpc     create an API key
  polgate --chain-id 31337 policy-data simulate --wasm-file oracle.wasm --input-json '{}'

Exit codes: 0 success, 1 check failed, 2 could not run.`

/** Name, options, commands and examples of `polgate`. */
export const programDefinition: Program = {
  name: 'polgate',
  description: 'Policy evaluation service: reference implementation and conformance suite',
  options: (program) =>
    program.option('--chain-id <number>', 'chain id, for commands that use one'),
  examples,
  commands,
}

/** Entry point of the process; call it once. */
export async function run(argv: readonly string[]): Promise<void> {
  tolerateBrokenPipe()
  await main(argv)
  exitAfterFailure()
}

/** Runs one `polgate` command and sets `process.exitCode`. */
export function main(argv: readonly string[]): Promise<void> {
  provideLocalServices(() => import('polgate-self-test/local/localTarget.ts'))
  return runProgram(argv, programDefinition)
}
