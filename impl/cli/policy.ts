import { type Command, Option } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import { addHttpOptions } from './policy/httpOptions.ts'
import type { SimulatePolicyOptions } from './policy/policyFlags.ts'
import type { PublishOptions } from './publish/publishPolicy.ts'
import { collect } from './regorus.ts'
import { targetOption } from './stack/serviceTarget.ts'

const examples = `
Examples:
  polgate policy simulate my-package --replay my-package/exchanges.yaml
  polgate policy simulate my-package --intent other.json --record exchanges.yaml
  polgate policy simulate --policy policy.rego --params params.json --intent intent.json \\
      --oracle price_feed=oracle.wasm --wasm-args '{"symbol":"ETH"}' \\
      --secrets-file secrets.json --secrets-schema secrets.schema.json
  polgate policy simulate --policy policy.rego --intent intent.json --data '{"price_feed":{"price":1}}'

A package is a folder with policy.yaml, which names its files. Options override them. NAME= selects an oracle; it is optional if there is only one.
Exit codes: 0 evaluated, whatever the decision; 1 evaluation failed, or the decision differs from
--expect; 2 could not run.`

const publishHelp = `
Examples:
  polgate policy publish my-package --dry-run
  polgate policy publish my-package

Only what is missing or has changed is deployed: .published.json in the folder says what was published where, and
is compared with the chain. Changed parameters are set on the client, whose address stays. After an interruption
run it again. On another chain: --target FILE, which needs chain: { policyFactory }, and --key NAME.`

const addresses = (address: string, all: readonly string[] = []) => [...all, address]

/** Simulates a policy and its oracles from files, and publishes it. */
export const policy: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const simulate = command
      .command('simulate')
      .description('run the oracles of a policy and evaluate it as an operator would')
      .argument('[folder]', 'policy package')
      .option('--policy <file>', 'Rego source')
      .option('--oracle <[name=]file>', 'component, or .js source', collect, [])
      .option('--wasm-args <[name=]json>', 'input of one oracle, or of all', collect, [])
      .option('--secrets-file <[name=]file>', 'secrets of an oracle', collect, [])
      .option('--secrets-schema <[name=]file>', 'JSON Schema of its secrets', collect, [])
      .option('--params <file>', 'policy parameters, a JSON object')
      .option('--params-schema <file>', 'JSON Schema of the parameters')
      .option('--intent <file>', 'intent, as for svc_createTask')
      .option('--intent-signature <hex>', '65 bytes')
      .option(
        '--intent-domain <file>',
        'EIP-712 domain of the client: name, version, chainId, verifyingContract; sets input.intent_digest',
      )
      .option('--entrypoint <package.rule>', 'rule that decides; policy.allow by default')
      .option('--data <json>', 'data.wasm to use instead of running the oracles')
      .addOption(
        new Option('--expect <decision>', 'exit 1 for another decision').choices(['allow', 'deny']),
      )
    command
      .command('publish')
      .description('deploy a package: contents, PolicyData, Policy, client')
      .argument('[folder]', 'policy package', '.')
      .option(...targetOption)
      .option(
        '--key <name>',
        'variable with the private key that deploys, or an account of the target (default owner)',
      )
      .option(
        '--attester <address>',
        'account that attests oracle data (default: those of the stack)',
        addresses,
      )
      .option('--directory <dir>', 'content store (default: that of the stack)')
      .option('--dry-run', 'print plan and cost only')
      .option('-y, --yes', 'do not ask')
      .option('--json', 'print JSON')
      .addHelpText('after', publishHelp)
      .action(async (folder: string, options: PublishOptions) => {
        const { publishPolicy } = await import('./publish/publishPolicy.ts')
        await publishPolicy(folder, options)
      })
    addHttpOptions(simulate)
      .addHelpText('after', examples)
      .action(async (folder: string | undefined, _: unknown, called: Command) => {
        const { simulatePolicy } = await import('./policy/simulatePolicy.ts')
        await simulatePolicy(folder, called.optsWithGlobals<SimulatePolicyOptions>())
      })
  },
}
