import type { CompareOptions } from 'polgate-conformance/commands/compare.ts'
import type { CommandDefinition } from '../commandDefinition.ts'
import { runCommand } from './command.ts'
import { suiteHelp } from './suiteHelp.ts'

const help = `
Examples:
  polgate compare out/monday out/today                   report directories, or event logs
  polgate compare main.ndjson branch.ndjson --markdown  a comment for a pull request

Exit codes: 0 no regressions, 1 new failures or lost proofs, 2 could not run.`

/** Compares two runs of the suite. */
export const compare: CommandDefinition = {
  define: (command) => {
    command
      .argument('<before>', 'event log or report directory of a run')
      .argument('<after>', 'that of a later run')
      .option('--json', 'print the comparison as JSON')
      .option('--markdown', 'print the comparison as Markdown')
      .addHelpText('after', suiteHelp(help))
      .action((before: string, after: string, options: Pick<CompareOptions, 'json' | 'markdown'>) =>
        runCommand(async (world) => {
          const { compare: run } = await import('polgate-conformance/commands/compare.ts')
          return run({ ...options, before, after }, world)
        }),
      )
  },
}
