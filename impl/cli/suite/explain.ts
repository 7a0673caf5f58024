import type { Verb } from '../verb.ts'
import { runCommand } from './command.ts'

const help = `
Examples:
  svc explain webhook.retry.503     a check: what it sends, examples of passing and failing
  svc explain 6.2-11                a clause, and the checks and mutants that cover it
  svc explain webhook.retries-4xx   a mutant: its fault, and the checks that detect it

Works offline.`

/** Describes a check, a clause or a mutant. */
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
