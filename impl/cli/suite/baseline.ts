import type { CommandDefinition } from '../commandDefinition.ts'
import { runCommand } from './command.ts'
import { suiteHelp } from './suiteHelp.ts'

const help = `
Examples:
  polgate baseline update out --file baseline.yaml --owner 'gateway team' \\
    --expires 2027-01-31 --reason 'fixed in the next release'
  polgate certify --target https://gateway.example --baseline baseline.yaml

Failures listed in the file do not fail a run, but such a run does not certify. An entry whose check
passes, or that has expired, fails the run, so that the file stays current.`

/** Maintains a list of known failures, to gate only on new ones. */
export const baseline: CommandDefinition = {
  define: (command) => {
    command.addHelpText('after', suiteHelp(help))
    command
      .command('update')
      .summary('write the failures of a run to the file; remove fixed ones')
      .argument('<run>', 'an event log, or the directory of a run')
      .requiredOption('--file <file>', 'the baseline (YAML)')
      .requiredOption('--owner <name>', 'who fixes the new failures')
      .requiredOption('--expires <day>', 'expiry date, such as 2027-01-31')
      .requiredOption('--reason <text>', 'why they are accepted')
      .option('--issue <URL>', 'issue that tracks them')
      .action((run: string, options) =>
        runCommand(async (world) => {
          const { updateBaseline } = await import('polgate-conformance/commands/baseline.ts')
          return updateBaseline({ ...options, run }, world)
        }),
      )
  },
}
