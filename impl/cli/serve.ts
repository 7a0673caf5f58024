import type { Command } from 'commander'
import type { Verb } from './verb.ts'

const examples = `
Examples:
  svc serve --config service.json
  svc serve --config - < service.json

The members of the configuration are those of ServiceConfig in impl/serviceConfig.ts; \${NAME} in a
value is read from the environment, so that no key has to stand in the file. A configuration without
a store uses the PostgreSQL server of DATABASE_URL; any number of gateways may share one.`

/** Runs a gateway on a chain and contracts that are already there. */
export const serve: Verb = {
  define(command: Command) {
    command
      .requiredOption('--config <file>', 'JSON configuration, - for standard input')
      .addHelpText('after', examples)
      .action(async (options: { config: string }) => {
        const { runService } = await import('./runService.ts')
        await runService(options.config)
      })
  },
}
