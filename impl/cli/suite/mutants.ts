import type { Verb } from '../verb.ts'
import { collect, runCommand, whole } from './command.ts'

const help = `
Examples:
  svc mutants                       all of them: the kill rate of the suite, by clause
  svc mutants --only '^webhook' --whole    what catches those
  svc mutants --clause 4.2          those that break a clause of a section
  svc mutants --rotate 24           some, others every day

A mutant is the reference gateway with one fault. It is killed where, for each clause that it breaks,
a check that cites the clause fails.

Exit codes: 0 all were killed, 1 one survived, 2 nothing was measured, 3 one could not be tried.`

/** How much the suite catches: gateways with one fault each, and the checks that fail on them. */
export const mutants: Verb = {
  define: (command) => {
    command
      .option('--only <pattern>', 'mutants whose id matches', collect)
      .option('--clause <section|id>', 'mutants that break a clause', collect)
      .option('--rotate <number>', 'so many of them, others every day', whole)
      .option('--workers <number>', 'processes', whole, 2)
      .option('--seed <number>', 'values of an earlier run')
      .option('--whole', 'ask all checks of the broken clauses, and show those that fail')
      .option(
        '--record',
        'put the results into conformance/proof/mutants.tsv and the record that svc explain reads',
      )
      .option('--no-controls', 'without the controls, while a mutant is being written')
      .option('--list', 'list them and try none')
      .option('--json', 'the campaign as JSON')
      .addHelpText('after', help)
      .action((options) =>
        runCommand(async (world) => {
          const { mutants: run } = await import('polgate-self-test/mutantsCommand.ts')
          return run(options, world)
        }),
      )
  },
}
