import type { Verb } from '../verb.ts'
import { collect, runCommand } from './command.ts'

const help = `
Examples:
  svc coverage                      clause by clause: the checks, and the mutants that they caught
  svc coverage --clause 6.2         of a section
  svc coverage --gaps               what nothing is known to refute

Exit codes: 0 no gap, 1 a clause has neither check nor reason, or a must-clause has checks that
never caught a mutant.`

/** Clause × check × mutant: how well the suite covers the specification. */
export const coverage: Verb = {
  define: (command) => {
    command
      .option('--clause <section|id>', 'of a section, or one', collect)
      .option('--level <must|should|may>', 'of a level', collect)
      .option('--open', 'only points that the specification leaves open')
      .option('--gaps', 'only gaps')
      .option('--json', 'as JSON')
      .addHelpText('after', help)
      .action((options) =>
        runCommand(async (world) => {
          const { coverage: run } = await import('polgate-conformance/commands/coverage.ts')
          return run(options, world)
        }),
      )
  },
}
