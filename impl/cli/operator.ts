import type { Command } from 'commander'
import type { OperatorOptions } from './runOperator.ts'
import type { Verb } from './verb.ts'

const examples = `
Example of a configuration (\${NAME} is read from the environment):
  { "listen": { "host": "127.0.0.1", "port": 9101 },
    "token": "\${OPERATOR_TOKEN}",
    "address": "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc",
    "blsKeyFile": "./bls.key",
    "secretsKey": "\${OPERATOR_SECRETS_KEY}",
    "chainId": 31337,
    "chain": { "rpcUrl": "http://127.0.0.1:8545",
               "taskManager": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
               "signedFile": "./signed" },
    "content": { "directory": "./content", "gateways": ["https://ipfs.example"] },
    "oracles": { "cacheDir": "./cache" } }

Every secret stands in the configuration or, as blsKeyFile, secretsKeyFile, tokenFile and
threshold.keyFile, in a file that its owner alone may read (chmod 600). Keys are 32 bytes of hex.

The token is a secret that the gateway has too, which lists the operator as
  { "kind": "remote", "url": "http://127.0.0.1:9101", "token": "\${OPERATOR_TOKEN}",
    "address": "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc", "id": "0x..., as --check prints it" }
Both sign what they send with it (RFC 9421); it never crosses the wire. To change it, start the
operator with the new one as token and the old one as previousToken, then the gateway, then the
operator without previousToken.

With chain the operator reads for itself what it is to sign, by a node of its own, and signs one
response a task, also after a restart where it has signedFile. Without chain it believes its gateway.

Before an operator that listens on more than loopback goes a proxy with TLS, which leaves paths as
they are. GET /health answers whoever supervises it.

Where operators share the privacy key, each names all of them in the same order, and how many open
together; who does not find a file with its share in the directory takes part in making a key:
  "threshold": { "key": "\${OPERATOR_THRESHOLD_KEY}", "needed": 3, "directory": "./shares",
                 "members": [{ "address": "0x9965...", "publicKey": "d75a98..." }, ...] }

Examples:
  svc operator --config operator.json --check   read configuration and keys, print the operator's id
  svc operator --config operator.json
  svc operator --config -                       the configuration comes on standard input`

/** Runs one operator as a process of its own, which a gateway reaches over HTTP. */
export const operator: Verb = {
  define(command: Command) {
    command
      .requiredOption('--config <file>', 'JSON configuration, - for standard input')
      .option('--check', 'say whether it could start, and who it would be; start nothing')
      .addHelpText('after', examples)
      .action(async (options: OperatorOptions) => {
        const { runOperator } = await import('./runOperator.ts')
        await runOperator(options)
      })
  },
}
