import type { CommandDefinition } from '../commandDefinition.ts'
import { collect, runCommand, whole } from './command.ts'

const help = `
Examples:
  svc mutants                              all mutants: the kill rate of the suite, by clause
  svc mutants --only '^webhook' --whole    show all checks that detect these mutants
  svc mutants --clause 4.2                 mutants that break a clause of a section
  svc mutants --rotate 24                  24 mutants, a different subset each day

A mutant is the reference gateway with one fault. It is killed if, for each clause that it breaks, a
check that cites the clause fails. The checks run as they do for other gateways: over the wire, with a
target file, and without the decisions of the reference implementation.

Exit codes: 0 all killed, 1 at least one survived, 2 nothing was measured, 3 at least one could not be
tried.`

/** Runs the suite against gateways with one fault each, and reports which are detected. */
export const mutants: CommandDefinition = {
  define: (command) => {
    command
      .option('--only <pattern>', 'mutants whose id matches', collect)
      .option('--clause <section|id>', 'mutants that break a clause', collect)
      .option('--rotate <number>', 'this many, a different subset each day', whole)
      .option('--workers <number>', 'number of processes', whole, 2)
      .option('--seed <number>', 'repeat the values of an earlier run')
      .option('--whole', 'run all checks of the broken clauses, and show those that fail')
      .option(
        '--record',
        'save the results to conformance/proof/mutants.tsv and the record that svc explain reads',
      )
      .option('--reference', 'also require what the reference implementation decided')
      .option('--no-controls', 'skip the controls, while developing a mutant')
      .option('--list', 'list mutants without running them')
      .option('--json', 'print the campaign as JSON')
      .addHelpText('after', help)
      .action((options) =>
        runCommand(async (world) => {
          const { mutants: run } = await import('polgate-self-test/mutantsCommand.ts')
          return run(options, world)
        }),
      )
  },
}
