import type { CommandDefinition } from '../commandDefinition.ts'
import { collect, runCommand, whole } from './command.ts'

const help = `
Examples:
  polgate variants                             each alone, every two together, and all at once
  polgate variants --only '^transport' --singly   these, each alone
  polgate variants --all-at-once               one gateway with all quick variants
  polgate variants --list                      what they choose

A variant is a correct gateway that makes another choice than the reference implementation where the
specification is silent, or that runs under other conditions: a latency, block times, a clock that is
off. A check that fails on it raises a false alarm.

Exit codes: 0 no false alarm, 1 at least one, 2 nothing was measured.`

/** Runs the suite against correct gateways that differ from the reference implementation. */
export const variants: CommandDefinition = {
  define: (command) => {
    command
      .option('--only <pattern>', 'variants whose id matches', collect)
      .option('--singly', 'run each variant alone')
      .option('--pairwise', 'run sets in which every two variants meet')
      .option('--all-at-once', 'run all quick variants together')
      .option('--workers <number>', 'number of processes', whole, 2)
      .option('--seed <number>', 'repeat the values of an earlier run')
      .option(
        '--record',
        'save the results to conformance/proof/variants.tsv; certificates quote their rate',
      )
      .option('--unsaved', 'run only gateways without a saved result, or with false alarms in it')
      .option('--list', 'list variants without running them')
      .option('--json', 'print the results as JSON')
      .addHelpText('after', help)
      .action((options) =>
        runCommand(async (world) => {
          const { variants: run } = await import('polgate-self-test/variantsCommand.ts')
          return run(options, world)
        }),
      )
  },
}
