import type { CommandDefinition } from '../commandDefinition.ts'
import { collect, runCommand, whole } from './command.ts'

const help = `
Examples:
  polgate mutants                              all mutants: the kill rate of the suite, by clause
  polgate mutants --only '^webhook' --whole    show all checks that detect these mutants
  polgate mutants --clause 4.2                 mutants that break a clause of a section
  polgate mutants --rotate 24                  24 mutants, a different subset each day
  polgate mutants --generated --only sendTask  the faults derived from the schema of one answer

A mutant is the reference gateway with one fault. It is killed if, for each clause that it breaks, a
check that cites the clause fails. The checks run as they do for other gateways: over the wire, with a
target file, and without the decisions of the reference implementation.

With --generated the faults are derived from the OpenRPC and OpenAPI documents: every member of every
answer is dropped, null, of another type, renamed, off by one, stale, swapped with a sibling, or echoed
from the request. Here one failed check that cites a clause of the member is enough. A member is killed
if every fault of it that took effect was; at least 95 % of the members that must-clauses specify have
to be.

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
        'save the results to conformance/proof/mutants.tsv and the record that polgate explain reads',
      )
      .option('--generated', 'faults derived from the schemas of every answer, by member')
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
