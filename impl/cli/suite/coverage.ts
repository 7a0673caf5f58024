import type { CommandDefinition } from '../commandDefinition.ts'
import { collect, runCommand } from './command.ts'
import { suiteHelp } from './suiteHelp.ts'

const help = `
Examples:
  polgate coverage                      for every clause: its checks, and the mutants they killed
  polgate coverage --clause 6.2         clauses of a section
  polgate coverage --gaps               clauses without a check or a killed mutant

Exit codes: 0 no gaps, 1 a clause has neither a check nor a reason for having none, or a must-clause
has checks that never killed a mutant.`

/** Coverage of the specification: clauses, checks and mutants. */
export const coverage: CommandDefinition = {
  define: (command) => {
    command
      .option('--clause <section|id>', 'clauses of a section, or one clause', collect)
      .option('--level <must|should|may>', 'clauses of a level', collect)
      .option('--open', 'only points that the specification leaves open')
      .option('--gaps', 'only clauses with gaps')
      .option('--json', 'print JSON')
      .addHelpText('after', suiteHelp(help))
      .action((options) =>
        runCommand(async (world) => {
          const { coverage: run } = await import('polgate-conformance/commands/coverage.ts')
          return run(options, world)
        }),
      )
  },
}
