import { type Command, Option } from 'commander'
import { addHttpOptions } from './policy/httpOptions.ts'
import type { SimulatePolicyOptions } from './policy/policyFlags.ts'
import { collect } from './regorus.ts'
import type { Verb } from './verb.ts'

const examples = `
Examples:
  svc policy simulate fixtures/packages/counterparty-risk --replay fixtures/packages/counterparty-risk/exchanges.yaml
  svc policy simulate my-package --intent other.json --record exchanges.yaml
  svc policy simulate --policy policy.rego --params params.json --intent intent.json \\
      --oracle price_feed=oracle.wasm --wasm-args '{"symbol":"ETH"}' \\
      --secrets-file secrets.json --secrets-schema secrets.schema.json
  svc policy simulate --policy policy.rego --intent intent.json --data '{"price_feed":{"price":1}}'

A package is a folder: policy.rego, params.json, params.schema.json, intent.json, wasm_args.json, and
oracles/<pack>/ with oracle.wasm (or .js), wasm_args.json, secrets.json, secrets.schema.json. Flags
stand in the place of its files. NAME= says which oracle is meant; it may be left out for the only one.
Exit codes: 0 evaluated, whatever the decision; 1 it failed, or --expect says otherwise; 2 it could
not be run.`

/** The whole way of a policy on files, oracles included. */
export const policy: Verb = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const simulate = command
      .command('simulate')
      .description('run the oracles of a policy and evaluate it, as an operator would')
      .argument('[folder]', 'a package')
      .option('--policy <file>', 'Rego source')
      .option('--oracle <[name=]file>', 'component, or a .js source', collect, [])
      .option('--wasm-args <[name=]json>', 'input of an oracle, or of all', collect, [])
      .option('--secrets-file <[name=]file>', 'secrets of an oracle', collect, [])
      .option('--secrets-schema <[name=]file>', 'JSON Schema of its secrets', collect, [])
      .option('--params <file>', 'parameters of the policy, a JSON object')
      .option('--params-schema <file>', 'JSON Schema that they must fit')
      .option('--intent <file>', 'the intent, as svc_createTask takes it')
      .option('--intent-signature <hex>', '65 bytes')
      .option(
        '--intent-domain <file>',
        'EIP-712 domain of the client: name, version, chainId, verifyingContract; makes input.intent_digest',
      )
      .option('--entrypoint <package.rule>', 'what decides; policy.allow by default')
      .option('--data <json>', 'what the oracles would have given, instead of running them')
      .addOption(
        new Option('--expect <decision>', 'exit 1 when it decides otherwise').choices([
          'allow',
          'deny',
        ]),
      )
    addHttpOptions(simulate)
      .addHelpText('after', examples)
      .action(async (folder: string | undefined, _: unknown, called: Command) => {
        const { simulatePolicy } = await import('./policy/simulatePolicy.ts')
        await simulatePolicy(folder, called.optsWithGlobals<SimulatePolicyOptions>())
      })
  },
}
