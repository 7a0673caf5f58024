import type { Command } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import { addHttpOptions } from './policy/httpOptions.ts'
import type { SimulateOracleOptions } from './policy/simulateOracle.ts'

const examples = `
Examples:
  polgate --chain-id 31337 policy-data simulate --wasm-file oracle.wasm --input-json '{"symbol":"ETH"}'
  polgate policy-data simulate --wasm-file oracle.wasm --input-json '{}' --secrets-file secrets.json \\
      --allow-host 127.0.0.1:8604
  polgate policy-data simulate --wasm-file oracle.js --input-json '{}' --record exchanges.yaml
  polgate policy-data simulate --wasm-file oracle.js --input-json '{}' --replay exchanges.yaml

The oracle runs as in an operator: same limits, sandbox and egress rules. Its output goes to stdout,
everything else to stderr.
Exit codes: 0 success, 1 the oracle failed, 2 could not run.`

/** Section 1: runs an oracle in its sandbox with the HTTP host. */
export const policyData: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const simulate = command
      .command('simulate')
      .description('run a component once and print its output')
      .requiredOption('--wasm-file <path>', 'component, or .js source to build')
      .requiredOption('--input-json <json>', 'argument of run(); an empty string means {}')
      .option('--secrets-file <path>', 'JSON object of secrets, returned by get()')
      .option('--secrets-schema <path>', 'JSON Schema of the secrets')
    addHttpOptions(simulate)
      .addHelpText('after', examples)
      .action(async (_: unknown, called: Command) => {
        const { simulateOracle } = await import('./policy/simulateOracle.ts')
        await simulateOracle(called.optsWithGlobals<SimulateOracleOptions>())
      })
  },
}
