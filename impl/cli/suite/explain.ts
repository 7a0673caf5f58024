import type { Verb } from '../verb.ts'
import { runCommand } from './command.ts'

const help = `
Examples:
  svc explain webhook.retry.503     what a check asks, how it passes, and how it fails
  svc explain 6.2-11                what a clause says, and what speaks for it
  svc explain webhook.retries-4xx   what a mutant does wrong, and what catches it

Needs no gateway and no network.`

/** What a check, a clause or a mutant is about. */
export const explain: Verb = {
  define: (command) => {
    command
      .argument('<name...>', 'ids of checks, clauses or mutants')
      .addHelpText('after', help)
      .action((names: readonly string[]) =>
        runCommand(async (world) => {
          const { explain: run } = await import('polgate-conformance/commands/explain.ts')
          return run(names, world)
        }),
      )
  },
}
