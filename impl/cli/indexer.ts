import type { Command } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'

const examples = `
Examples:
  polgate indexer --config service.json
  DATABASE_URL=postgres://svc@db/svc polgate indexer --config service.json

The configuration may be shared with the gateways: only store, explorer.networks and content are
read. Any number of indexers may share one PostgreSQL server: for each chain one writes, the others
are standbys and take over within seconds. Set explorer.indexer = false on gateways that leave
indexing to them.`

/** Runs the indexer as a separate process. */
export const indexer: CommandDefinition = {
  define(command: Command) {
    command
      .requiredOption('--config <file>', 'JSON configuration; - for standard input')
      .addHelpText('after', examples)
      .action(async (options: { config: string }) => {
        const { runIndexer } = await import('./runIndexer.ts')
        await runIndexer(options.config)
      })
  },
}
