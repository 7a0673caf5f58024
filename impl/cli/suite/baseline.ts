import type { Verb } from '../verb.ts'
import { runCommand } from './command.ts'

const help = `
Examples:
  svc baseline update out --file baseline.yaml --owner 'gateway team' \\
    --expires 2027-01-31 --reason 'the next release mends them'
  svc certify --target https://gateway.example --baseline baseline.yaml

Failures in the file do not fail a run; a run with them certifies nothing. An entry whose check
passes, or whose day is over, fails the run: the file shrinks, or it is looked at.`

/** A list of known failures, for those who gate on new ones. */
export const baseline: Verb = {
  define: (command) => {
    command.addHelpText('after', help)
    command
      .command('update')
      .summary('write the failures of a run into the file; mended ones go')
      .argument('<run>', 'an event log, or the directory of a run')
      .requiredOption('--file <file>', 'the baseline (YAML)')
      .requiredOption('--owner <name>', 'who mends the new ones')
      .requiredOption('--expires <day>', 'until when, such as 2027-01-31')
      .requiredOption('--reason <text>', 'why they are known')
      .option('--issue <URL>', 'where that is followed')
      .action((run: string, options) =>
        runCommand(async (world) => {
          const { updateBaseline } = await import('polgate-conformance/commands/baseline.ts')
          return updateBaseline({ ...options, run }, world)
        }),
      )
  },
}
