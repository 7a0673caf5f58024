import { tolerateBrokenPipe } from '../brokenPipe.ts'
import { exitAfterFailure } from '../exit.ts'
import { type Program, runProgram } from '../program.ts'
import { suiteCommands } from './commands.ts'
import { suiteName } from './suiteName.ts'

const examples = `
Examples:
  polgate-conformance init https://gateway.example             write a target file
  polgate-conformance doctor svc-target.yaml                   what a certification would lack
  polgate-conformance certify svc-target.yaml                  certify that gateway
  polgate-conformance run svc-target.yaml --clause 4.2         some checks

Exit codes: 0 done, 1 a check failed, 2 could not run, 3 inconclusive.`

const uses = `Conformance suite for policy evaluation services.

  certify a gateway        polgate-conformance init https://gateway.example
                           polgate-conformance certify svc-target.yaml
  gate deployments in CI   polgate-conformance init https://gateway.example --ci github
  replay a recording       polgate-conformance replay client.fixture --target svc-target.yaml

polgate-conformance --help lists the commands.`

/** Name, commands and examples of `polgate-conformance`. */
export const suiteProgram: Program = {
  name: suiteName,
  description: 'Conformance suite for policy evaluation services',
  uses,
  examples,
  commands: {
    ...suiteCommands,
    certify: { ...suiteCommands.certify, summary: 'certify a gateway' },
  },
}

/** The command line of the suite's own package: everything that needs no local stack. */
export async function run(argv: readonly string[]): Promise<void> {
  tolerateBrokenPipe()
  await runProgram(argv, suiteProgram)
  exitAfterFailure()
}
