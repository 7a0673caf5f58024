import type { ListOptions } from 'polgate-conformance/commands/list.ts'
import type { CommandDefinition } from '../commandDefinition.ts'
import { runCommand } from './command.ts'
import { selectionOptions } from './runOptions.ts'
import { suiteHelp } from './suiteHelp.ts'

const help = `
Examples:
  polgate list                             all checks, with their tags and required capabilities
  polgate list --clause 6.2 --level must   checks of a section and level
  polgate list --tag exclusive --json      print JSON
  polgate list --exclude-tag writes        checks that write nothing

Exit codes: 0 listed, 2 a filter matches nothing.`

/** Lists the checks that a run with the same filters would include. */
export const list: CommandDefinition = {
  define: (command) => {
    selectionOptions(command)
      .option('--json', 'print JSON, with titles, clauses, effects and expected duration')
      .addHelpText('after', suiteHelp(help))
      .action((options: ListOptions) =>
        runCommand(async (world) => {
          const { list: run } = await import('polgate-conformance/commands/list.ts')
          return run(options, world)
        }),
      )
  },
}
