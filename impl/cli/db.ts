import type { Command } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import type { MigrateOptions } from './db/migrateDatabase.ts'
import type { StatusOptions } from './db/showStatus.ts'

const examples = `
Examples:
  polgate db status                        DATABASE_URL, or the stack running in this directory
  polgate db status --data-dir ./data      a service that is not running
  polgate db migrate --config service.json
  DATABASE_URL=postgres://svc@db/svc polgate db status --json

The database is that of --config, --data-dir or --database-url; else DATABASE_URL; else, for status,
that of the stack that \`polgate start\` runs in this directory. A service migrates its database when it
starts; \`migrate\` does so ahead of time.

status is read-only. Exit codes: 0 schema is current, 1 migrations are pending, 2 could not run, for
example because a later release has migrated the database.`

/** Migrates a database, or shows its status. */
export const db: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const shared = (subcommand: Command) =>
      subcommand
        .option('--config <file>', 'service configuration with the store')
        .option('--data-dir <dir>', 'data directory of a service that is not running')
        .option(
          '--database-url <url>',
          'PostgreSQL server; use DATABASE_URL to keep a password off the command line',
        )
        .option('--json', 'print JSON')

    shared(command.command('migrate'))
      .description('migrate a database to the schema of this release')
      .action(async (options: MigrateOptions) => {
        const { migrateDatabase } = await import('./db/migrateDatabase.ts')
        await migrateDatabase(options)
      })

    shared(command.command('status'))
      .description('show schema version, table sizes and pending work')
      .option('--control <url>', 'control listener of a running local stack')
      .action(async (options: StatusOptions) => {
        const { showStatus } = await import('./db/showStatus.ts')
        await showStatus(options)
      })
  },
}
