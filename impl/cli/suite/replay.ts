import type { ReplayCommandOptions } from 'polgate-conformance/commands/replay.ts'
import type { Verb } from '../verb.ts'
import { runCommand, whole } from './command.ts'

const help = `
Examples:
  svc replay fixtures/recorded --target https://gateway.example
  svc replay ryqzs29m                           ask again what failed in the last run
  svc replay ryqzs29m --events out/events.ndjson --counterexample
  svc replay client.fixture --curl              its requests for a shell

Secrets of a recording are taken from the environment: <<secret:name>> is SVC_SECRET_NAME. Envelopes
are sealed to the target's own keys; <<sign:owner>> needs the private key of that account.

A recording is fine where every answer is as it was. A counterexample holds what was wrong, and is
fine where that does not come again.

Exit codes: 0 fine, 1 not, 2 could not run, 130 interrupted.`

/** Replays fixtures and failures; the suite lives in conformance/. */
export const replay: Verb = {
  define: (command) => {
    command
      .argument('<what...>', 'fixtures, folders of them, or one replay id')
      .option('--target <local|URL|name>', 'against what')
      .option('--target-file <file>', 'what is known of a remote gateway')
      .option('--explorer-url <URL>', 'the explorer of a remote gateway')
      .option('--events <file>', 'event log in which the replay id stands; the last by default')
      .option('--counterexample', 'the saved counterexample of the replay id, not its check')
      .option('--window <seconds>', 'how long frames, webhooks and rows are waited for', whole)
      .option('--curl', 'print the requests for a shell, and send nothing')
      .option('--json', 'results as JSON on stdout, and nothing else there')
      .addHelpText('after', help)
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
