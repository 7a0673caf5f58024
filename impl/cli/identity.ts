import type { Command } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import { domainOption } from './privateData/domainOption.ts'
import type { LinkOptions } from './privateData/linkIdentity.ts'
import type { ListIdentityOptions } from './privateData/listIdentity.ts'
import type { RevokeOptions } from './privateData/revokeIdentity.ts'
import type { UploadIdentityOptions } from './privateData/uploadIdentity.ts'
import { repeatable } from './repeatable.ts'
import { targetOption } from './stack/serviceTarget.ts'

const examples = `
Examples:
  polgate identity upload me.json --domain kyc --key sender
  polgate identity link --client allow-list --domain kyc --key sender
  polgate identity list --client allow-list --user sender
  polgate identity revoke --client allow-list --domain kyc --key sender

An identity is a JSON object. It is checked and sealed on this machine to the privacy key, which operators share:
status, birthdate, expiration_date (YYYY-MM-DD), address_country_code and whatever else policies read. No policy
reads it before it is linked to the policy client and to the user who signs intents. Data is named by file, keys by
the name of a variable or of an account of the target, or by file: never on the command line.

Exit codes: 0 success, 1 the file is malformed, 2 could not run.`

const linkHelp = `
Examples:
  polgate identity link --client allow-list --domain kyc --key sender
  polgate identity link --client allow-list --domain kyc --user stranger --user-key stranger
  polgate identity link --client allow-list --owner sender --domain kyc --key stranger --sign-only > user.json
  polgate identity link --signed user.json --key sender

The identity owner and the user sign; --key sends, and signs for those of them that it is. Owner and user are the
account of --key by default. On two machines: the one prints its signature with --sign-only, the other sends with
--signed.`

/** Seals, registers, links and revokes identities. */
export const identity: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const shared = (subcommand: Command) =>
      subcommand.option(...targetOption).option('--json', 'print JSON')
    const signed = (subcommand: Command) =>
      shared(subcommand)
        .option(
          '--key <name>',
          'variable with the private key, or account of the target (default sender)',
        )
        .option('--key-file <file>', 'file with the private key, instead of --key')
    const ofClient = (subcommand: Command) =>
      subcommand
        .option('--client <client>', 'policy client: an address, or its name in the target')
        .option('--package <folder>', 'published package, instead of --client')

    signed(command.command('upload'))
      .description('check, seal, upload and register the identity of an account')
      .argument('<file>', 'JSON object')
      .requiredOption(...domainOption)
      .addHelpText('after', examples)
      .action(async (file: string, options: UploadIdentityOptions) => {
        const { uploadIdentity } = await import('./privateData/uploadIdentity.ts')
        await uploadIdentity(file, options)
      })
    ofClient(signed(command.command('link')))
      .description('let the policy of a client read an identity for one of its users')
      .option(...domainOption, repeatable)
      .option('--owner <address>', 'whose identity')
      .option('--user <address>', 'who signs the intents')
      .option('--user-key <name>', "the user's key, as --key, to sign for the user too")
      .option('--sign-only', 'print the signature of --key, and send nothing')
      .option('--signed <file>', 'what --sign-only has printed on another machine')
      .addHelpText('after', linkHelp)
      .action(async (options: LinkOptions) => {
        const { linkIdentity } = await import('./privateData/linkIdentity.ts')
        await linkIdentity(options)
      })
    ofClient(signed(command.command('revoke')))
      .description('end links, as identity owner or as user')
      .requiredOption(...domainOption, repeatable)
      .option('--user <address>', 'user of the link (default: the account of --key)')
      .addHelpText('after', examples)
      .action(async (options: RevokeOptions) => {
        const { revokeIdentity } = await import('./privateData/revokeIdentity.ts')
        await revokeIdentity(options)
      })
    ofClient(shared(command.command('list')))
      .description('list the identities that the policy of a client reads for a user')
      .requiredOption('--user <address>', 'who signs the intents')
      .addHelpText('after', examples)
      .action(async (options: ListIdentityOptions) => {
        const { listIdentity } = await import('./privateData/listIdentity.ts')
        await listIdentity(options)
      })
  },
}
