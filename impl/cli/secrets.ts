import type { Command } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import type { ListOptions } from './secrets/listSecrets.ts'
import type { PutOptions } from './secrets/putSecrets.ts'
import { targetOption } from './stack/serviceTarget.ts'

const examples = `
Examples:
  polgate secrets put my-package --file secrets.json
  polgate secrets put my-package --env RISK_API_URL --env RISK_API_KEY
  polgate secrets put my-package --oracle counterparty_risk < secrets.json
  polgate secrets verify my-package --file secrets.json   check them against the schema, and send nothing
  polgate secrets list my-package --missing               oracles whose secrets the gateway does not have

Secrets are a JSON object of strings. They are checked against the oracle's schema and sealed on this machine; the
gateway receives only the envelope. Values are never taken from the command line, which other users and the shell's
history see.

A package that was published names client and oracles. Without one: --client, with a name of the target or an
address, and --oracle.

Exit codes: 0 success, 1 the secrets do not fit the schema, or are missing, 2 could not run.`

const collect = (name: string, all: readonly string[] = []) => [...all, name]

/** Seals and stores the secrets of oracles. */
export const secrets: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const shared = (subcommand: Command) =>
      subcommand
        .argument('[folder]', 'policy package that was published (default: this folder)')
        .argument('[values...]', 'not accepted: secrets are never on the command line')
        .option(...targetOption)
        .option('--client <client>', 'policy client, instead of that of the package')
        .option('--json', 'print JSON')
    const input = (subcommand: Command) =>
      shared(subcommand)
        .option('--oracle <oracle>', 'its id or the address of its PolicyData; optional with one')
        .option('--file <file>', 'JSON file (default: standard input)')
        .option('--env <variable>', 'a secret from the variable of its name (repeatable)', collect)
        .addHelpText('after', examples)

    input(command.command('put'))
      .description('check, seal and store the secrets of an oracle')
      .action(async (folder: string | undefined, values: string[], options: PutOptions) => {
        const { putSecrets } = await import('./secrets/putSecrets.ts')
        await putSecrets(folder, values, options)
      })
    input(command.command('verify'))
      .description('check secrets against the schema of an oracle, without sending them')
      .action(async (folder: string | undefined, values: string[], options: PutOptions) => {
        const { verifySecrets } = await import('./secrets/putSecrets.ts')
        await verifySecrets(folder, values, options)
      })
    shared(command.command('list'))
      .description('list the oracles of a client that need secrets')
      .option(
        '--missing',
        'only those whose secrets the gateway does not have; exit 1 if there are any',
      )
      .addHelpText('after', examples)
      .action(async (folder: string | undefined, values: string[], options: ListOptions) => {
        const { listSecrets } = await import('./secrets/listSecrets.ts')
        await listSecrets(folder, values, options)
      })
  },
}
