import type { ListOptions } from 'polgate-conformance/commands/list.ts'
import type { Verb } from '../verb.ts'
import { runCommand } from './command.ts'
import { selectionOptions } from './runOptions.ts'

const help = `
Examples:
  svc list                             every check, with its tags and what it needs
  svc list --clause 6.2 --level must   some of them
  svc list --tag exclusive --json      for a program

Exit codes: 0 listed, 2 a filter matches nothing.`

/** Lists the checks that a run with the same filters would ask. */
export const list: Verb = {
  define: (command) => {
    selectionOptions(command)
      .option('--json', 'with titles, clauses, effects and expected time')
      .addHelpText('after', help)
      .action((options: ListOptions) =>
        runCommand(async (world) => {
          const { list: run } = await import('polgate-conformance/commands/list.ts')
          return run(options, world)
        }),
      )
  },
}
