import type { Command } from 'commander'
import type { Verb } from './verb.ts'

export type SimulateOptions = {
  readonly wasmFile: string
  readonly inputJson: string
  readonly secretsFile?: string
  readonly allowHost: readonly string[]
}

const examples = `
Examples:
  svc --chain-id 31337 policy-data simulate --wasm-file oracle.wasm --input-json '{"symbol":"ETH"}'
  svc policy-data simulate --wasm-file oracle.wasm --input-json '{}' --secrets-file secrets.json \\
      --allow-host 127.0.0.1:8604

The oracle runs as an operator would run it: same limits, same sandbox, same way out.`

/** Section 1: runs an oracle in its sandbox, with the HTTP host. */
export const policyData: Verb = {
  define(command: Command) {
    command.addHelpText('after', examples)
    command
      .command('simulate')
      .description('run a component once and print what it answers')
      .requiredOption('--wasm-file <path>', 'the component')
      .requiredOption('--input-json <json>', 'the string handed to run()')
      .option('--secrets-file <path>', 'JSON object of secrets that get() answers')
      .option('--allow-host <host:port>', 'reach this host whatever its address', collect, [])
      .addHelpText('after', examples)
      .action(async (options: SimulateOptions) => {
        const { simulateOracle } = await import('./simulateOracle.ts')
        await simulateOracle(options)
      })
  },
}

const collect = (value: string, earlier: readonly string[]) => [...earlier, value]
