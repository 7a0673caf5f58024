import type { Command } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import type { OperatorOptions } from './runOperator.ts'

const examples = `
Example configuration (\${NAME} is read from the environment):
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

Secrets are in the configuration or, with blsKeyFile, secretsKeyFile, tokenFile and
threshold.keyFile, in files that only their owner may read (chmod 600). Keys are 32 bytes of hex.

The token is a secret shared with the gateway, which lists the operator as
  { "kind": "remote", "url": "http://127.0.0.1:9101", "token": "\${OPERATOR_TOKEN}",
    "address": "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc", "id": "0x..., as --check prints it" }
Both sign their messages with it (RFC 9421); the token itself is never sent. To rotate it, restart
the operator with the new token as token and the old one as previousToken, then the gateway with the
new token, then the operator without previousToken.

With chain, the operator verifies what it signs against its own node and signs one response per
task; with chain.signedFile, also across restarts. Without chain it trusts its gateway.

An operator that listens on anything but loopback needs a TLS proxy in front of it that keeps paths
unchanged. GET /health is for health checks.

With "telemetry" ({ "endpoint": "http://127.0.0.1:4318" }; see CONFIGURATION.md) or
OTEL_EXPORTER_OTLP_ENDPOINT, the operator continues the traces of its gateway.

In threshold mode every operator lists all members in the same order, and how many are needed to
decrypt. An operator without a share in the directory takes part in generating a new key:
  "threshold": { "key": "\${OPERATOR_THRESHOLD_KEY}", "needed": 3, "directory": "./shares",
                 "members": [{ "address": "0x9965...", "publicKey": "d75a98..." }, ...] }

Examples:
  polgate operator --config operator.json --check   check configuration and keys, print the operator's id
  polgate operator --config operator.json
  polgate operator --config - < operator.json       read the configuration from standard input`

/** Runs one operator as a separate process, which a gateway calls over HTTP. */
export const operator: CommandDefinition = {
  define(command: Command) {
    command
      .requiredOption('--config <file>', 'JSON configuration; - for standard input')
      .option('--check', 'check the configuration and print the operator without starting it')
      .addHelpText('after', examples)
      .action(async (options: OperatorOptions) => {
        const { runOperator } = await import('./runOperator.ts')
        await runOperator(options)
      })
  },
}
