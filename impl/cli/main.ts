import type { Command } from 'commander'
import { tolerateBrokenPipe } from './brokenPipe.ts'
import { CommandError } from './commandDefinition.ts'
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

const uses = `Reference implementation and conformance suite of a policy evaluation service.

  certify a gateway        polgate init https://gateway.example && polgate certify
  gate deployments in CI   polgate init https://gateway.example --ci github
  develop locally          polgate start
  record regressions       polgate record --out client.fixture -- node client.mjs

polgate --help lists the commands.`

/** Commands that the option `--chain-id` before their name changes. */
const withChainId = ['start', 'policy-data simulate', 'policy simulate']

const pathOf = (command: Command): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

/** Name, options, commands and examples of `polgate`. */
export const programDefinition: Program = {
  name: 'polgate',
  description: 'Reference implementation and conformance suite of a policy evaluation service',
  options: (program) =>
    program
      .option('--chain-id <number>', 'chain id, for start and simulations')
      .hook('preAction', (_, action) => {
        const path = pathOf(action)
        if (program.opts().chainId === undefined || withChainId.includes(path)) return
        throw new CommandError(`--chain-id has no effect on ${path}`, {
          hint: `Leave it out. It is for ${withChainId.join(', ')}.`,
        })
      }),
  uses,
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
