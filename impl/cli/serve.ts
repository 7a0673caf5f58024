import type { Command } from 'commander'
import { CommandError, type Verb } from './verb.ts'

const examples = `
Examples:
  svc serve --config service.json
  svc serve --config - < service.json
  SVC_ENV_FILE=environment.json svc serve --from-environment

The members of the configuration are those of ServiceConfig in impl/service/serviceConfig.ts; \${NAME} in a
value is read from the environment, so that no key has to stand in the file. A configuration without
a store uses the PostgreSQL server of DATABASE_URL; any number of gateways may share one.

--from-environment is for a gateway under test: whoever starts it hands it a chain, keys and ports in
the file that SVC_ENV_FILE names (conformance/targets/CONTRACT.md). It keeps nothing.`

/** Runs a gateway on a chain and contracts that are already there. */
export const serve: Verb = {
  define(command: Command) {
    command
      .option('--config <file>', 'JSON configuration, - for standard input')
      .option('--from-environment', 'run in the environment that a test hands over')
      .addHelpText('after', examples)
      .action(async (options: { config?: string; fromEnvironment?: true }) => {
        const { config, fromEnvironment } = options
        if ((config === undefined) === (fromEnvironment === undefined))
          throw new CommandError('Name one of --config and --from-environment', {
            hint: 'svc serve --help has examples.',
          })
        const { runService, runInEnvironment } = await import('./runService.ts')
        await (config === undefined ? runInEnvironment() : runService(config))
      })
  },
}
