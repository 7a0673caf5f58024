import type { Command } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import type { LoadOptions } from './snapshot/loadFromFile.ts'
import type { SaveOptions } from './snapshot/saveToFile.ts'
import type { ShowOptions } from './snapshot/showSnapshot.ts'

const help = `
Examples:
  polgate snapshot save monday.snapshot                        the stack running in this directory
  polgate snapshot save monday.snapshot --data-dir ./dev       a stopped stack
  polgate snapshot save monday.snapshot --config service.json  a service, running or not
  polgate snapshot load monday.snapshot --data-dir ./again && polgate start --data-dir ./again
  polgate snapshot load monday.snapshot --config service.json --without-chain
  polgate snapshot show monday.snapshot --check

A snapshot is a gzipped tar of the database, the content store and, for a local stack, the state of
Anvil. Protect it like the database: it contains hashes of API keys, encrypted envelopes and webhook
secrets, and every task. Its mode is 0600. It does not contain private keys or shares of threshold
mode; those are in the configuration and in the operators' files.`

const saveHelp = `
Saves the service of --config, --data-dir, --database-url or --control; else the server of
DATABASE_URL; else the stack that \`polgate start\` runs in this directory. The snapshot is consistent: the
chain of a running stack pauses mining while it is read, and its gateway waits while an embedded
database is read; a PostgreSQL server continues to serve.

FILE is replaced only after the new snapshot is complete and verified.`

const loadHelp = `
Loads into the data directory of --data-dir, the server of --database-url or DATABASE_URL, or the
service of --config. With --database-url and --data-dir the database goes to the server and the chain
to the directory. Snapshots are portable between both database engines; those of older releases are
upgraded.

The whole file is verified before anything is changed. Existing data is an error without --replace,
which moves it aside and prints where. Nothing is deleted.`

/** Backup of a whole service in one file. */
export const snapshot: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', help)
    const shared = (subcommand: Command) =>
      subcommand
        .argument('<file>')
        .option('--config <file>', 'service configuration with store and content directory')
        .option('--data-dir <dir>', 'data directory of a service that is not running')
        .option(
          '--database-url <url>',
          'PostgreSQL server; use DATABASE_URL to keep a password off the command line',
        )
        .option('--content-dir <dir>', 'content store (default: that of the service)')
        .option('--without-chain', 'omit the chain')
        .option('--without-content', 'omit the content store')
        .option('--json', 'print JSON')

    shared(command.command('save'))
      .description('save everything to one file')
      .option('--control <url>', 'control listener of a running local stack')
      .addHelpText('after', saveHelp)
      .action(async (file: string, options: SaveOptions) => {
        const { saveToFile } = await import('./snapshot/saveToFile.ts')
        await saveToFile(file, options)
      })

    shared(command.command('load'))
      .description('restore a data directory or database from a file')
      .option('--replace', 'move existing data aside')
      .addHelpText('after', loadHelp)
      .action(async (file: string, options: LoadOptions) => {
        const { loadFromFile } = await import('./snapshot/loadFromFile.ts')
        await loadFromFile(file, options)
      })

    command
      .command('show')
      .description('show the contents of a snapshot')
      .argument('<file>')
      .option('--check', 'verify the whole file; exit 1 if it is damaged')
      .option('--json', 'print JSON')
      .action(async (file: string, options: ShowOptions) => {
        const { showSnapshot } = await import('./snapshot/showSnapshot.ts')
        await showSnapshot(file, options)
      })
  },
}
