import type { MergeOptions } from 'polgate-conformance/commands/merge.ts'
import type { Verb } from '../verb.ts'
import { collect, runCommand } from './command.ts'

const help = `
Examples:
  svc certify --shard 1/2 --seed 0x5eed42 --report-dir out/1
  svc certify --shard 2/2 --seed 0x5eed42 --report-dir out/2
  svc merge out/*/events.ndjson --report-dir out/all

Parts of one run only: the same seed, suite, effort, checks and target. What no part reported counts as not
reported, and the whole as inconclusive.

Exit codes: as of the run that the parts make; 2 where they are parts of different ones.`

/** Puts the event logs of shards together, with the reports of the whole. */
export const merge: Verb = {
  define: (command) => {
    command
      .argument('<logs...>', 'event logs of the parts, or their directories')
      .requiredOption('--report-dir <directory>', 'where the log and the reports of the whole go')
      .option('--report <kinds>', 'which reports; all by default', collect)
      .option('--sign-key <file>', 'the private key that signs the certificate (PEM)')
      .option('--json', 'the report as JSON on stdout')
      .option('-q, --quiet', 'only the verdict')
      .option('-v, --verbose', 'show what open points turned out to be')
      .addHelpText('after', help)
      .action((logs: readonly string[], options: Omit<MergeOptions, 'logs'>) =>
        runCommand(async (world) => {
          const { merge: run } = await import('polgate-conformance/commands/merge.ts')
          return run({ ...options, logs }, world)
        }),
      )
  },
}
