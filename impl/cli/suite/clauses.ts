import type { Verb } from '../verb.ts'
import { collect, runCommand } from './command.ts'

const help = `
Examples:
  svc clauses                       every normative statement of the specification
  svc clauses --clause 4.2,6.2      of two sections
  svc clauses --open                what the specification leaves open: observed, never judged`

/** The register: the specification as numbered clauses. */
export const clauses: Verb = {
  define: (command) => {
    command
      .option('--clause <section|id>', 'of a section, or one', collect)
      .option('--level <must|should|may>', 'of a level', collect)
      .option('--open', 'only points that the specification leaves open')
      .option('--json', 'as JSON')
      .addHelpText('after', help)
      .action((options) =>
        runCommand(async (world) => {
          const { clauses: run } = await import('polgate-conformance/commands/clauses.ts')
          return run(options, world)
        }),
      )
  },
}
