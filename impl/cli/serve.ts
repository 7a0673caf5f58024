import type { Command } from 'commander'
import { CommandError, type Verb } from './verb.ts'

const examples = `
Examples:
  svc serve --config service.json
  svc serve --config - < service.json
  SVC_ENV_FILE=environment.json svc serve --from-environment

The members of the configuration are those of ServiceConfig in impl/service/serviceConfig.ts. \${NAME} in a
value is read from the environment, so that keys need not be in the file. A configuration without a
store uses the PostgreSQL server of DATABASE_URL; any number of gateways may share one.

--from-environment is for a gateway under test: the file at SVC_ENV_FILE provides chain, keys and
ports (conformance/targets/CONTRACT.md). Nothing is persisted.`

/** Runs a gateway on an existing chain and contracts. */
export const serve: Verb = {
  define(command: Command) {
    command
      .option('--config <file>', 'JSON configuration; - for standard input')
      .option('--from-environment', 'run in the test environment described by SVC_ENV_FILE')
      .addHelpText('after', examples)
      .action(async (options: { config?: string; fromEnvironment?: true }) => {
        const { config, fromEnvironment } = options
        if ((config === undefined) === (fromEnvironment === undefined))
          throw new CommandError('Pass either --config or --from-environment', {
            hint: 'See the examples in svc serve --help.',
          })
        const { runService, runInEnvironment } = await import('./runService.ts')
        await (config === undefined ? runInEnvironment() : runService(config))
      })
  },
}
