import type { Command } from 'commander'
import type { LoadOptions } from './snapshot/loadFromFile.ts'
import type { SaveOptions } from './snapshot/saveToFile.ts'
import type { ShowOptions } from './snapshot/showSnapshot.ts'
import type { Verb } from './verb.ts'

const help = `
Examples:
  svc snapshot save monday.snapshot                        the stack that runs in this directory
  svc snapshot save monday.snapshot --data-dir ./dev       one that does not run
  svc snapshot save monday.snapshot --config service.json  a service, running or not
  svc snapshot load monday.snapshot --data-dir ./again && svc start --data-dir ./again
  svc snapshot load monday.snapshot --config service.json --without-chain
  svc snapshot show monday.snapshot --check

In one file, a gzipped tar: the database, the content store, and the state of the chain where it is
the Anvil of a local stack. Keep it as you keep the database: it holds hashes of API keys, sealed
envelopes and sealed webhook secrets, and every task. Its mode is 0600. The keys that open what is
sealed are not inside, nor are the shares of threshold mode: they stand in the configuration and in
the operators' files.`

const saveHelp = `
What is saved: what --config, --data-dir, --database-url or --control names; else the server of
DATABASE_URL; else the stack that \`svc start\` runs in this directory. It is the state of one moment:
a running stack's chain makes no block while it is read, its gateway waits while an embedded
database is read, and a server goes on meanwhile.

FILE appears when it is complete and was read again; until then what was there stays.`

const loadHelp = `
Where to: the data directory of --data-dir, the server of --database-url or DATABASE_URL, or what
--config names. With --database-url and --data-dir the database goes to the one and the chain to the
other. A snapshot of either engine goes into the other; one of an older release is upgraded.

The file is checked to its end before anything is touched. Where data is already, nothing is done
without --replace, which moves it aside and says where: nothing is deleted.`

/** Backup of a whole service in one file. */
export const snapshot: Verb = {
  define(command: Command) {
    command.addHelpText('after', help)
    const shared = (subcommand: Command) =>
      subcommand
        .argument('<file>')
        .option('--config <file>', 'configuration of a service: its store and contents')
        .option('--data-dir <dir>', 'data directory of a service that is not running')
        .option('--database-url <url>', 'PostgreSQL server; DATABASE_URL keeps a password hidden')
        .option('--content-dir <dir>', 'content store (default: that of the service)')
        .option('--without-chain', 'leave the chain out')
        .option('--without-content', 'leave the content store out')
        .option('--json', 'print JSON')

    shared(command.command('save'))
      .description('write everything into one file')
      .option('--control <url>', 'control listener of a running local stack')
      .addHelpText('after', saveHelp)
      .action(async (file: string, options: SaveOptions) => {
        const { saveToFile } = await import('./snapshot/saveToFile.ts')
        await saveToFile(file, options)
      })

    shared(command.command('load'))
      .description('fill a data directory, or a database, from a file')
      .option('--replace', 'move aside what is there')
      .addHelpText('after', loadHelp)
      .action(async (file: string, options: LoadOptions) => {
        const { loadFromFile } = await import('./snapshot/loadFromFile.ts')
        await loadFromFile(file, options)
      })

    command
      .command('show')
      .description('say what a file has in it')
      .argument('<file>')
      .option('--check', 'read it to its end; exit 1 when it is damaged')
      .option('--json', 'print JSON')
      .action(async (file: string, options: ShowOptions) => {
        const { showSnapshot } = await import('./snapshot/showSnapshot.ts')
        await showSnapshot(file, options)
      })
  },
}
