import type { Command } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import type {
  GrantOptions,
  RemoveSourceOptions,
  SetSourceOptions,
} from './privateData/changeConfidential.ts'
import { domainOption } from './privateData/domainOption.ts'
import type { ListSourcesOptions } from './privateData/listSources.ts'
import type { PublishConfidentialOptions } from './privateData/publishConfidential.ts'
import type { RegisterOptions } from './privateData/registerProvider.ts'
import { targetOption } from './stack/serviceTarget.ts'

const examples = `
Examples:
  polgate confidential register --provider owner --type blacklist
  polgate confidential publish list.json --domain sanctions --key owner
  polgate confidential grant --client allow-list --domain sanctions --key owner
  polgate confidential source set --client allow-list --type blacklist --provider owner --domain sanctions
  polgate confidential source list --client allow-list
  polgate confidential revoke --client allow-list --domain sanctions --key owner

Data of a provider is a JSON object: {"entries": ["0x...", ...]} for lists of addresses, {"values": {...}} for others.
It is checked and sealed on this machine to the privacy key, which operators share. A policy reads it if the
provider grants it and the owner of the policy client sets it as source of its type; without either, evaluations
that need it fail. Keys are named by variable, account of the target or file: never on the command line.

Exit codes: 0 success, 1 the file is malformed, 2 could not run.`

/** Publishes confidential data, grants it, and sets it as source of policies. */
export const confidential: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const shared = (subcommand: Command) =>
      subcommand.option(...targetOption).option('--json', 'print JSON')
    const signed = (subcommand: Command, usual: string) =>
      shared(subcommand)
        .option(
          '--key <name>',
          `variable with the private key, or account of the target (default ${usual})`,
        )
        .option('--key-file <file>', 'file with the private key, instead of --key')
    const ofClient = (subcommand: Command) =>
      subcommand
        .option('--client <client>', 'policy client: an address, or its name in the target')
        .option('--package <folder>', 'published package, instead of --client')
    const typeOption = ['--type <type>', 'data type: blacklist, allowlist, or another'] as const

    signed(command.command('publish'), 'provider')
      .description('check, seal, upload and publish the next version of data')
      .argument('<file>', 'JSON object')
      .requiredOption(...domainOption)
      .addHelpText('after', examples)
      .action(async (file: string, options: PublishConfidentialOptions) => {
        const { publishConfidential } = await import('./privateData/publishConfidential.ts')
        await publishConfidential(file, options)
      })
    signed(command.command('register'), 'owner')
      .description('register a provider with its data type, as owner of the registry')
      .requiredOption('--provider <address>', 'who will publish the data')
      .requiredOption(...typeOption)
      .addHelpText('after', examples)
      .action(async (options: RegisterOptions) => {
        const { registerProvider } = await import('./privateData/registerProvider.ts')
        await registerProvider(options)
      })
    signed(command.command('unregister'), 'owner')
      .description('remove a provider, which ends what it has published and granted')
      .requiredOption('--provider <address>', 'who is registered')
      .addHelpText('after', examples)
      .action(async (options: RegisterOptions) => {
        const { registerProvider } = await import('./privateData/registerProvider.ts')
        await registerProvider(options)
      })
    ofClient(signed(command.command('grant'), 'provider'))
      .description('let the policy of a client decide over data of the provider')
      .requiredOption(...domainOption)
      .addHelpText('after', examples)
      .action(async (options: GrantOptions) => {
        const { changeGrant } = await import('./privateData/changeConfidential.ts')
        await changeGrant('granted', options)
      })
    ofClient(signed(command.command('revoke'), 'provider'))
      .description('take a grant back: evaluations that need the data fail')
      .requiredOption(...domainOption)
      .addHelpText('after', examples)
      .action(async (options: GrantOptions) => {
        const { changeGrant } = await import('./privateData/changeConfidential.ts')
        await changeGrant('revoked', options)
      })

    const source = command
      .command('source')
      .description('choose whose data of a type a policy reads')
      .addHelpText('after', examples)
    ofClient(signed(source.command('set'), 'owner'))
      .description('set the source of a type, as owner of the policy client')
      .requiredOption(...typeOption)
      .requiredOption('--provider <address>', 'who publishes the data')
      .requiredOption(...domainOption)
      .addHelpText('after', examples)
      .action(async (options: SetSourceOptions) => {
        const { setSource } = await import('./privateData/changeConfidential.ts')
        await setSource(options)
      })
    ofClient(signed(source.command('remove'), 'owner'))
      .description('remove the source of a type, as owner of the policy client')
      .requiredOption(...typeOption)
      .addHelpText('after', examples)
      .action(async (options: RemoveSourceOptions) => {
        const { removeSource } = await import('./privateData/changeConfidential.ts')
        await removeSource(options)
      })
    ofClient(shared(source.command('list')))
      .description('list the sources of a policy client, and whether they are granted')
      .addHelpText('after', examples)
      .action(async (options: ListSourcesOptions) => {
        const { listSources } = await import('./privateData/listSources.ts')
        await listSources(options)
      })
  },
}
