import type { Command } from 'commander'
import type { Verb } from './verb.ts'

const examples = `
Example of a configuration (\${NAME} is read from the environment):
  { "listen": { "port": 9101 }, "token": "\${OPERATOR_TOKEN}", "address": "0x9965...",
    "blsKey": "\${OPERATOR_BLS_KEY}", "secretsKey": "\${OPERATOR_SECRETS_KEY}", "chainId": 31337,
    "content": { "directory": "./content", "gateways": ["https://ipfs.example"] },
    "oracles": { "cacheDir": "./cache" } }

Where operators share the privacy key, each names all of them in the same order, and how many open
together; who does not find a file with its share in the directory takes part in making a key:
  "threshold": { "key": "\${OPERATOR_THRESHOLD_KEY}", "needed": 3, "directory": "./shares",
                 "members": [{ "address": "0x9965...", "publicKey": "d75a98..." }, ...] }

Examples:
  svc operator --config operator.json
  svc operator --config -              the configuration comes on standard input`

/** Runs one operator as a process of its own, which a gateway reaches over HTTP. */
export const operator: Verb = {
  define(command: Command) {
    command
      .requiredOption('--config <file>', 'JSON configuration, - for standard input')
      .addHelpText('after', examples)
      .action(async (options: { config: string }) => {
        const { runOperator } = await import('./runOperator.ts')
        await runOperator(options.config)
      })
  },
}
