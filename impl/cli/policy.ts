import { type Command, Option } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import type { ComposeOptions } from './policy/compose/composePolicies.ts'
import { addHttpOptions } from './policy/httpOptions.ts'
import type { ImportPolicyOptions } from './policy/import/importPolicy.ts'
import type { SimulatePolicyOptions } from './policy/policyFlags.ts'
import { type InitPolicyOptions, templateLines, templateNames } from './policy/templateNames.ts'
import type { TestPolicyOptions } from './policy/test/testPolicy.ts'
import type { PublishOptions } from './publish/publishPolicy.ts'
import { collect, positive } from './regorus.ts'
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
  polgate policy publish my-package --fund 10ether
  polgate policy publish my-package --strict      fail for warnings of policy test, too

The package is tested first, as by policy test: if that fails, nothing is sent. A package without tests gets a warning.
Only what is missing or has changed is deployed: .published.json in the folder says what was published where, and
is compared with the chain. Changed parameters are set on the client, whose address stays. A client pays the
values of intents from its own balance: --fund. After an interruption run it again. On another chain: --target
FILE, which needs chain: { policyFactory }, and --key NAME.`

const addresses = (address: string, all: readonly string[] = []) => [...all, address]

const initExamples = `
Examples:
  polgate policy init my-policy --template price-feed
  polgate policy init my-policy --template multi-oracle && polgate policy test my-policy

Templates:
${templateLines}

Each has a policy with tests, oracles with schemas, mocks of
their hosts, a decision table, and a workflow for CI.
Exit codes: 0 written, 2 could not run.`

const importExamples = `
Examples:
  polgate policy import old-policy -o new-policy

Finds policy.rego and its tests, policy.js or oracle.js beside it or oracles/<id>/oracle.js, params.json,
params_schema.json, secrets_schema.json, wasm_args.json, intent.json, and copies them into a package. Imports of
another brand's host interface and its Rego extensions get the names of this service; parameters in a manifest
move to the top, and a schema in it becomes theirs; an intent in camelCase becomes one as callers send it. What is
missing is written as a stub: {"fillIn": ...} fails policy test until it is replaced. The folder itself is not changed.
Exit codes: 0 written, 2 could not run.`

const composeExamples = `
Examples:
  polgate policy compose kyc spending-limit -o guarded && polgate policy test guarded

Each policy becomes part of one module, below the name of its package, and keeps its Rego tests; its parameters are
below that name too: data.params.kyc. Oracles keep their ids. Equal ids, different answers of one mocked request and
clients with contracts of their own are refused. Cases that are refused stay refused; those that
are allowed are not copied.
Exit codes: 0 written, 2 could not run.`

const testExamples = `
Examples:
  polgate policy test my-package
  polgate policy test my-package --verbose --threshold 90 --junit junit.xml
  polgate policy test my-package --watch

Runs the Rego tests of the package, then each case of cases.yaml: its oracles against the hosts of mocks.yaml,
never against a real one, and its policy with their output. Every case that allows is repeated while each host
that it asks is down, slow, or answers garbage, and while private data that the policy reads is missing or
malformed: to be allowed then is a failure, unless the case says allowsDespite. Exit codes: 0 all passed, 1 something failed or coverage is below --threshold, 2 could not run.`

/** Writes, simulates, tests and publishes policies and their oracles. */
export const policy: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    command
      .command('init')
      .description('write a policy package whose tests pass')
      .argument('<folder>', 'where; existing files are never replaced')
      .addOption(
        new Option('--template <name>', 'what the policy decides about').choices(templateNames),
      )
      .addHelpText('after', initExamples)
      .action(async (folder: string, options: InitPolicyOptions) => {
        const { initPolicy } = await import('./policy/initPolicy.ts')
        await initPolicy(folder, options)
      })
    command
      .command('import')
      .description('write a policy package from a folder in another layout or of another brand')
      .argument('<folder>', 'with policy.rego, policy.js, params_schema.json and so on')
      .option('-o, --output <folder>', 'new or empty; by default the name and -package')
      .addHelpText('after', importExamples)
      .action(async (folder: string, options: ImportPolicyOptions) => {
        const { importPolicy } = await import('./policy/import/importPolicy.ts')
        await importPolicy(folder, options)
      })
    command
      .command('compose')
      .description('write one package that allows what all of several packages allow')
      .argument('<folders...>', 'policy packages, two or more')
      .requiredOption('-o, --output <folder>', 'new or empty; its name becomes that of the package')
      .addHelpText('after', composeExamples)
      .action(async (folders: string[], options: ComposeOptions) => {
        const { composePolicies } = await import('./policy/compose/composePolicies.ts')
        await composePolicies(folders, options)
      })
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
      .option(
        '--private-data <file>',
        'identity, confidential and ephemeral data, as testPrivateData of a package',
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
      .option('--client <address>', 'client that is deployed already: only its policy is set')
      .option('--fund <amount>', 'send the client what it lacks of this balance, such as 10ether')
      .option('--directory <dir>', 'content store (default: that of the stack)')
      .option('--dry-run', 'print plan and cost only')
      .option(
        '--allow-failing <reason>',
        'publish although policy test fails; the result names the reason',
      )
      .option('--strict', 'exit 1 before anything is sent if there are warnings')
      .option('-y, --yes', 'do not ask')
      .option('--json', 'print JSON')
      .addHelpText('after', publishHelp)
      .action(async (folder: string, options: PublishOptions) => {
        const { publishPolicy } = await import('./publish/publishPolicy.ts')
        await publishPolicy(folder, options)
      })
    command
      .command('test')
      .description(
        'test a package: its Rego tests, its decision table, and what decides when hosts fail',
      )
      .argument('[folder]', 'policy package', '.')
      .option('-v, --verbose', 'one line per test, case and failure')
      .option('--threshold <percent>', 'fail below this coverage', positive('--threshold', 100))
      .option('--junit <file>', 'write a report for CI systems')
      .option('--json', 'one JSON object on stdout')
      .option('-w, --watch', 'test again when a file changes')
      .addHelpText('after', testExamples)
      .action(async (folder: string, options: TestPolicyOptions) => {
        const { testPolicy } = await import('./policy/test/testPolicy.ts')
        await testPolicy(folder, options)
      })
    addHttpOptions(simulate)
      .addHelpText('after', examples)
      .action(async (folder: string | undefined, _: unknown, called: Command) => {
        const { simulatePolicy } = await import('./policy/simulatePolicy.ts')
        await simulatePolicy(folder, called.optsWithGlobals<SimulatePolicyOptions>())
      })
  },
}
