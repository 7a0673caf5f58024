import type { DiffOptions } from 'polgate-conformance/commands/diff.ts'
import type { CommandDefinition } from '../commandDefinition.ts'
import { runCommand, whole } from './command.ts'
import { suiteHelp } from './suiteHelp.ts'

const help = `
Examples:
  polgate diff local https://gateway.example
  polgate diff https://old.example https://new.example --fixtures session.fixture --json

Values of placeholders, and texts that the specification leaves open, do not count as differences.

Exit codes: 0 no differences, 1 differences, 2 could not run, 130 interrupted.`

const withoutStack = {
  'diff local': 'diff gateway.yaml',
}

/** Differential testing of two gateways. */
export const diff: CommandDefinition = {
  define: (command) => {
    command
      .argument('<a>', 'local, a URL, or the name or path of a target file')
      .argument('<b>', 'the same')
      .option(
        '--fixtures <paths...>',
        'recordings to send; by default those of the reference implementation',
      )
      .option(
        '--window <seconds>',
        'how long to wait for frames, webhooks and explorer rows',
        whole,
      )
      .option('--json', 'print only JSON on stdout')
      .addHelpText('after', suiteHelp(help, withoutStack))
      .action((a: string, b: string, flags: Omit<DiffOptions, 'a' | 'b'> & { window?: number }) =>
        runCommand(async (world) => {
          const { diff: run } = await import('polgate-conformance/commands/diff.ts')
          return run(
            {
              ...flags,
              a,
              b,
              ...(flags.window === undefined ? {} : { windowMs: flags.window * 1000 }),
            },
            world,
          )
        }),
      )
  },
}
