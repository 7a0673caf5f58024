import type { RecordOptions } from 'polgate-conformance/commands/record.ts'
import type { CommandDefinition } from '../commandDefinition.ts'
import { collect, runCommand, whole } from './command.ts'
import { suiteHelp } from './suiteHelp.ts'

const help = `
Examples:
  polgate record --target local --out client.fixture -- node client.mjs
  polgate record --target https://gateway.example --out session.fixture --port 8700

The command receives SVC_GATEWAY_URL, SVC_EXPLORER_URL, SVC_UPDATES_URL and SVC_STACK_FILE with the
addresses of the proxy. Without a command, Ctrl-C ends the recording and writes the file.

Placeholders replace secrets: <<key:read>> for keys of the target, <<secret:name>> for the value of
SVC_SECRET_NAME, also inside hex, base64, JSON strings, URL escapes, forms and nested combinations; a
replay encodes them again. If any other secret, or a value that looks like one, would be written, no
file is written: exit code 1 and the place of the value.

The proxy replaces the gateway's public key by its own, opens the envelopes sealed to it (also
those of one task in wasm_args), and seals them to the gateway's key before forwarding. The file
contains their plaintext with a placeholder for each secret, such as <<secret:price_api_key>>, and a
replay seals it to the key of its target. List members that are not secret, such as the URL of a feed,
with --public to record their values.
--reseal selects the keys: 'secrets' for that of getSecretsPublicKey; 'all', the default where the
target's private keys are known, for that of getPrivacyPublicKey too; 'none' to leave envelopes as
they are.

Envelopes that cannot be sealed again: those of an identity whose owner's private key is not among
the target's accounts, because its signature covers the envelope (use --reseal secrets), and those
sealed to a key that the client did not get from the gateway. They are replayed unchanged, which only
a target with the same key accepts. A client that computes data_ref_id itself gets a different value
than the gateway.

Exit codes: 0 written, 1 found a secret, received nothing or the command failed, 2 could not run.`

const withoutStack = {
  '--target local': '--target gateway.yaml',
}

/** Records exchanges through a proxy. */
export const record: CommandDefinition = {
  define: (command) => {
    command
      .argument('[command...]', 'command of the client, after --')
      .requiredOption('--out <file>', 'fixture to write')
      .option('--target <local|URL|name>', 'gateway behind the proxy')
      .option('--target-file <file>', 'target file of a remote gateway')
      .option('--explorer-url <URL>', 'explorer of a remote gateway')
      .option('--port <number>', 'port of the proxy; a free one by default', whole)
      .option('--clause <id>', 'clause that the fixture covers')
      .option('--reseal <keys>', 'all, secrets or none; see below')
      .option('--public <members>', 'members of sealed secrets to record as plain text', collect)
      .option('--title <text>', 'title of the fixture, one line')
      .addHelpText('after', suiteHelp(help, withoutStack))
      .action((words: readonly string[], flags: RecordOptions) =>
        runCommand(async (world) => {
          const { record: run } = await import('polgate-conformance/commands/record.ts')
          return run({ ...flags, command: words }, world)
        }),
      )
  },
}
