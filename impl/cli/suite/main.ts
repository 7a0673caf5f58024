import { exitOnBrokenPipe } from '../exitOnBrokenPipe.ts'
import { runProgram } from '../program.ts'
import { suiteCommands } from './commands.ts'

const examples = `
Examples:
  polgate init https://gateway.example             write a target file
  polgate doctor svc-target.yaml                   what a certification would lack
  polgate certify svc-target.yaml                  certify that gateway
  polgate run svc-target.yaml --clause 4.2         some checks

Exit codes: 0 done, 1 a check failed, 2 could not run, 3 inconclusive.`

/** The command line of the suite's own package: everything that needs no local stack. */
export async function run(argv: readonly string[]): Promise<void> {
  exitOnBrokenPipe()
  await runProgram(argv, {
    name: 'polgate-conformance',
    description: 'Conformance suite for policy evaluation services',
    examples,
    commands: suiteCommands,
  })
}
