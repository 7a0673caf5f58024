import type { RecordOptions } from 'polgate-conformance/commands/record.ts'
import type { Verb } from '../verb.ts'
import { collect, runCommand, whole } from './command.ts'

const help = `
Examples:
  svc record --target local --out client.fixture -- node scripts/example/client.mjs
  svc record --target https://gateway.example --out session.fixture --port 8700

The command is given SVC_GATEWAY_URL, SVC_EXPLORER_URL, SVC_UPDATES_URL, and SVC_STACK_FILE with the
proxy's addresses. Without a command Ctrl-C ends the recording and writes what there is.

Keys of the target stand as <<key:read>>, values of SVC_SECRET_NAME as <<secret:name>>, also inside
of hex, base64, JSON in a string, URL escapes, forms and any of these within each other: a replay
encodes them again. Where any other secret, or what looks like one, would be written, nothing is:
exit code 1, and where it stood.

The proxy gives the client a public key of its own in the place of the gateway's, opens the envelopes
that are sealed to it, and seals them to the gateway's key before it sends them on. The file has their
plaintext with a hole for each secret, such as <<secret:price_api_key>>, and a replay seals it to the
key of its own target. Values that are no secrets, such as the address of a feed, are written as they
are where --public names their member. --reseal says which keys: 'secrets' is that of
getSecretsPublicKey; 'all', the default where the target's private keys are known, that of
getPrivacyPublicKey too; 'none' leaves envelopes as they are.

What cannot be sealed again: an identity whose owner's private key is not among the accounts of the
target, as its signature covers the envelope (use --reseal secrets), and what was sealed to a key that
the client did not ask the gateway for. Such envelopes are replayed as they are, which only a target
with the same key accepts. A client that computes data_ref_id itself gets another than the gateway.

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
      .option('--reseal <keys>', 'all, secrets or none: see below')
      .option('--public <members>', 'members of sealed secrets to write as they are', collect)
      .option('--title <text>', 'what it shows, in one line')
      .addHelpText('after', help)
      .action((words: readonly string[], flags: RecordOptions) =>
        runCommand(async (world) => {
          const { record: run } = await import('polgate-conformance/commands/record.ts')
          return run({ ...flags, command: words }, world)
        }),
      )
  },
}
