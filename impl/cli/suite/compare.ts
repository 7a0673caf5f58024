import type { CompareOptions } from 'polgate-conformance/commands/compare.ts'
import type { Verb } from '../verb.ts'
import { runCommand } from './command.ts'

const help = `
Examples:
  svc compare out/monday out/today                 directories of reports, or their event logs
  svc compare main.ndjson branch.ndjson --markdown for a comment on a pull request

Exit codes: 0 no worse, 1 new failures or lost proofs, 2 could not run.`

/** Compares two runs of the suite. */
export const compare: Verb = {
  define: (command) => {
    command
      .argument('<before>', 'event log of a run, or the directory that holds it')
      .argument('<after>', 'that of a later one')
      .option('--json', 'the comparison as JSON on stdout')
      .option('--markdown', 'the comparison as markdown on stdout')
      .addHelpText('after', help)
      .action((before: string, after: string, options: Pick<CompareOptions, 'json' | 'markdown'>) =>
        runCommand(async (world) => {
          const { compare: run } = await import('polgate-conformance/commands/compare.ts')
          return run({ ...options, before, after }, world)
        }),
      )
  },
}
