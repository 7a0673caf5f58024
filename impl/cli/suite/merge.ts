import type { MergeOptions } from 'polgate-conformance/commands/merge.ts'
import type { CommandDefinition } from '../commandDefinition.ts'
import { collect, runCommand } from './command.ts'
import { suiteHelp } from './suiteHelp.ts'

const help = `
Examples:
  polgate certify --shard 1/2 --seed 0x5eed42 --report-dir out/1
  polgate certify --shard 2/2 --seed 0x5eed42 --report-dir out/2
  polgate merge out/*/events.ndjson --report-dir out/all

All logs must be of the same run: same seed, suite, effort, checks and target. Checks without a result
in any log count as not reported and make the merged run inconclusive.

Exit codes: those of the merged run; 2 if the logs are of different runs.`

/** Merges the event logs of shards and writes the reports. */
export const merge: CommandDefinition = {
  define: (command) => {
    command
      .argument('<logs...>', 'event logs or report directories of the shards')
      .requiredOption('--report-dir <directory>', 'directory for the merged log and the reports')
      .option('--report <kinds>', 'reports to write; all by default', collect)
      .option('--sign-key <file>', 'private key that signs the certificate (PEM)')
      .option('--json', 'print the report as JSON')
      .option('-q, --quiet', 'print only the verdict')
      .option('-v, --verbose', 'print what was observed at open points')
      .addHelpText('after', suiteHelp(help))
      .action((logs: readonly string[], options: Omit<MergeOptions, 'logs'>) =>
        runCommand(async (world) => {
          const { merge: run } = await import('polgate-conformance/commands/merge.ts')
          return run({ ...options, logs }, world)
        }),
      )
  },
}
