import type { RecordOptions } from '../../../conformance/commands/record.ts'
import type { Verb } from '../verb.ts'
import { runCommand, whole } from './command.ts'

const help = `
Examples:
  svc record --target local --out client.fixture -- node scripts/example/client.mjs
  svc record --target https://gateway.example --out session.fixture --port 8700

The command is given SVC_GATEWAY_URL, SVC_EXPLORER_URL, SVC_UPDATES_URL, and SVC_STACK_FILE with the
proxy's addresses. Without a command Ctrl-C ends the recording and writes what there is.

Keys of the target stand as <<key:read>>, values of SVC_SECRET_NAME as <<secret:name>>. Where any
other secret would be written, nothing is: exit code 1, and where it stood.

Exit codes: 0 written, 1 a secret or a command that failed, 2 could not run.`

/** Records exchanges through a proxy; the suite lives in conformance/. */
export const record: Verb = {
  define: (command) => {
    command
      .argument('[command...]', 'client to record, after --')
      .requiredOption('--out <file>', 'fixture to write')
      .option('--target <local|URL|name>', 'what is behind the proxy')
      .option('--target-file <file>', 'what is known of a remote gateway')
      .option('--explorer-url <URL>', 'the explorer of a remote gateway')
      .option('--port <number>', 'port of the proxy; a free one by default', whole)
      .option('--clause <id>', 'clause that the fixture is about')
      .option('--title <text>', 'what it shows, in one line')
      .addHelpText('after', help)
      .action((words: readonly string[], flags: RecordOptions) =>
        runCommand(async (world) => {
          const { record: run } = await import('../../../conformance/commands/record.ts')
          return run({ ...flags, command: words }, world)
        }),
      )
  },
}
