import type { ExplainOptions } from 'polgate-conformance/commands/explain.ts'
import type { CommandDefinition } from '../commandDefinition.ts'
import { repeated, runCommand } from './command.ts'
import { suiteHelp } from './suiteHelp.ts'

const help = `
Examples:
  polgate explain webhook.retry.503     what a check asserts, how it passes, and what it detects
  polgate explain webhook.retry.503 --target local    run it now and show the passing exchange
  polgate explain 6.2-11                what a clause says, and what speaks for it
  polgate explain webhook.4xx-retried   what a mutant does wrong, and what catches it

The passing exchange is from the newest run of this directory (.svc/runs) unless --run or --target is
given. Only --target needs a gateway.`

const withoutStack = {
  '--target local': '--target gateway.yaml',
}

/** Describes a check, a clause or a mutant. */
export const explain: CommandDefinition = {
  define: (command) => {
    command
      .argument('<name...>', 'ids of checks, clauses or mutants')
      .option('--run <path>', 'event log of a run, or its directory, with the passing exchange')
      .option('--target <local|url|name>', 'run the check on this target and show the exchange')
      .option('--target-file <file>', 'target file that describes it')
      .option('--checks <pattern>', "file of the gateway's own checks", repeated)
      .addHelpText('after', suiteHelp(help, withoutStack))
      .action((names: readonly string[], options: ExplainOptions) =>
        runCommand(async (world) => {
          const { explain: run } = await import('polgate-conformance/commands/explain.ts')
          return run(names, options, world)
        }),
      )
  },
}
