import type { Command } from 'commander'
import { addHttpOptions } from './policy/httpOptions.ts'
import type { SimulateOracleOptions } from './policy/simulateOracle.ts'
import type { Verb } from './verb.ts'

const examples = `
Examples:
  svc --chain-id 31337 policy-data simulate --wasm-file oracle.wasm --input-json '{"symbol":"ETH"}'
  svc policy-data simulate --wasm-file oracle.wasm --input-json '{}' --secrets-file secrets.json \\
      --allow-host 127.0.0.1:8604
  svc policy-data simulate --wasm-file oracle.js --input-json '{}' --record exchanges.yaml
  svc policy-data simulate --wasm-file oracle.js --input-json '{}' --replay exchanges.yaml

The oracle runs as an operator would run it: same limits, same sandbox, same way out. Its output
goes to stdout, all else to stderr.
Exit codes: 0 it gave an output, 1 it failed, 2 it could not be run.`

/** Section 1: runs an oracle in its sandbox, with the HTTP host. */
export const policyData: Verb = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const simulate = command
      .command('simulate')
      .description('run a component once and print what it answers')
      .requiredOption('--wasm-file <path>', 'the component; a .js source is made into one')
      .requiredOption('--input-json <json>', 'the string handed to run(); an empty one means {}')
      .option('--secrets-file <path>', 'JSON object of secrets that get() answers')
      .option('--secrets-schema <path>', 'JSON Schema that the secrets must fit')
    addHttpOptions(simulate)
      .addHelpText('after', examples)
      .action(async (_: unknown, called: Command) => {
        const { simulateOracle } = await import('./policy/simulateOracle.ts')
        await simulateOracle(called.optsWithGlobals<SimulateOracleOptions>())
      })
  },
}
