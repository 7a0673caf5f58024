import type { CommandDefinition } from '../commandDefinition.ts'
import { collect, runCommand } from './command.ts'
import { suiteHelp } from './suiteHelp.ts'

const help = `
Examples:
  polgate clauses                       all clauses
  polgate clauses --clause 4.2,6.2      clauses of two sections
  polgate clauses --open                points that the specification leaves open (observed, not judged)`

/** Lists the clauses of the specification. */
export const clauses: CommandDefinition = {
  define: (command) => {
    command
      .option('--clause <section|id>', 'clauses of a section, or one clause', collect)
      .option('--level <must|should|may>', 'clauses of a level', collect)
      .option('--open', 'only points that the specification leaves open')
      .option('--json', 'print JSON')
      .addHelpText('after', suiteHelp(help))
      .action((options) =>
        runCommand(async (world) => {
          const { clauses: run } = await import('polgate-conformance/commands/clauses.ts')
          return run(options, world)
        }),
      )
  },
}
