import type { ReplayCommandOptions } from 'polgate-conformance/commands/replay.ts'
import type { CommandDefinition } from '../commandDefinition.ts'
import { runCommand, whole } from './command.ts'
import { suiteHelp } from './suiteHelp.ts'

const help = `
Examples:
  polgate replay recorded --target https://gateway.example
  polgate replay ryqzs29m                           repeat a failure of a run of this directory
  polgate replay ryqzs29m --events out/events.ndjson --counterexample
  polgate replay client.fixture --curl              print its requests as curl commands

Secrets of a recording are read from the environment: <<secret:name>> from SVC_SECRET_NAME. Envelopes
are sealed to the keys of the target; <<sign:owner>> requires the private key of that account.

A recording passes if every response matches. A counterexample contains a wrong response, and passes
if that response does not recur.

Exit codes: 0 passed, 1 failed, 2 could not run, 130 interrupted.`

/** Replays fixtures and failures. */
export const replay: CommandDefinition = {
  define: (command) => {
    command
      .argument('<what...>', 'fixtures, folders of fixtures, or one replay id')
      .option('--target <local|URL|name>', 'target of the replay')
      .option('--target-file <file>', 'target file of a remote gateway')
      .option('--explorer-url <URL>', 'explorer of a remote gateway')
      .option(
        '--events <file>',
        'event log that contains the replay id; those of the runs of this directory by default',
      )
      .option(
        '--counterexample',
        'send the saved counterexample of the replay id instead of running its check',
      )
      .option(
        '--window <seconds>',
        'how long to wait for frames, webhooks and explorer rows',
        whole,
      )
      .option('--curl', 'print the requests as curl commands; send nothing')
      .option('--json', 'print only JSON on stdout')
      .addHelpText('after', suiteHelp(help))
      .action((what: readonly string[], flags: ReplayCommandOptions & { window?: number }) =>
        runCommand(async (world) => {
          const { replay: run } = await import('polgate-conformance/commands/replay.ts')
          return run(
            {
              ...flags,
              what,
              ...(flags.window === undefined ? {} : { windowMs: flags.window * 1000 }),
            },
            world,
          )
        }),
      )
  },
}
