import type { Command } from 'commander'
import type { Verb } from './verb.ts'

const examples = `
Examples:
  svc indexer --config service.json
  DATABASE_URL=postgres://svc@db/svc svc indexer --config service.json

The configuration may be that of the gateways: store, explorer.networks and content are read from it,
nothing else. Any number of indexers may share one PostgreSQL server: for each chain one of them
writes, the others stand by and go on within seconds of its end. Gateways that leave the work to them
have explorer.indexer = false.`

/** Runs the indexer as a process of its own. */
export const indexer: Verb = {
  define(command: Command) {
    command
      .requiredOption('--config <file>', 'JSON configuration, - for standard input')
      .addHelpText('after', examples)
      .action(async (options: { config: string }) => {
        const { runIndexer } = await import('./runIndexer.ts')
        await runIndexer(options.config)
      })
  },
}
