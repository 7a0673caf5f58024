import type { Command } from 'commander'
import type { MigrateOptions } from './db/migrateDatabase.ts'
import type { StatusOptions } from './db/showStatus.ts'
import type { Verb } from './verb.ts'

const examples = `
Examples:
  svc db status                        of DATABASE_URL, or of the stack that runs here
  svc db status --data-dir ./data      of a service that does not run
  svc db migrate --config service.json
  DATABASE_URL=postgres://svc@db/svc svc db status --json

Which database: the one that --config, --data-dir or --database-url names; else DATABASE_URL; else
status asks the stack that \`svc start\` runs in this directory. A service migrates by itself when it
starts; \`migrate\` does it before, where that is to be seen first.

status reads and changes nothing. It exits 0 when the schema is this release's, 1 when migrations
are pending, 2 when it could not look, as for a database that a later release has written.`

/** Upgrades a database, or tells what is in it. */
export const db: Verb = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const shared = (subcommand: Command) =>
      subcommand
        .option('--config <file>', 'configuration of a service, which names its store')
        .option('--data-dir <dir>', 'data directory of a service that is not running')
        .option('--database-url <url>', 'PostgreSQL server; DATABASE_URL keeps a password hidden')
        .option('--json', 'print JSON')

    shared(command.command('migrate'))
      .description('bring a database to the schema of this release')
      .action(async (options: MigrateOptions) => {
        const { migrateDatabase } = await import('./db/migrateDatabase.ts')
        await migrateDatabase(options)
      })

    shared(command.command('status'))
      .description('say which schema a database has, how large it is, and what waits in it')
      .option('--control <url>', 'control listener of a running local stack')
      .action(async (options: StatusOptions) => {
        const { showStatus } = await import('./db/showStatus.ts')
        await showStatus(options)
      })
  },
}
