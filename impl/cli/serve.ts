import type { Command } from 'commander'
import { type CommandDefinition, CommandError } from './commandDefinition.ts'

const examples = `
Examples:
  polgate serve --config service.json
  polgate serve --config - < service.json
  polgate serve --print-schema > config.schema.json
  SVC_ENV_FILE=environment.json polgate serve --from-environment

The members of the configuration are documented in impl/service/CONFIGURATION.md; --print-schema prints
their JSON Schema. \${NAME} in a value is read from the environment, so that no key has to be in the file.
A configuration without a store uses the PostgreSQL server of DATABASE_URL; any number of gateways may
share one.

With store.dataDir the embedded database syncs its log before a task is acknowledged (store.durability).
It is one copy on one disk; to survive the loss of that disk, use a PostgreSQL server with a replica.

--from-environment is for a gateway under test: the file at SVC_ENV_FILE provides chain, keys and
ports (conformance/targets/CONTRACT.md). Nothing is persisted.`

type ServeOptions = { config?: string; fromEnvironment?: true; printSchema?: true }

/** Runs a gateway on an existing chain and contracts. */
export const serve: CommandDefinition = {
  define(command: Command) {
    command
      .option('--config <file>', 'JSON configuration; - for standard input')
      .option('--from-environment', 'run in the test environment described by SVC_ENV_FILE')
      .option('--print-schema', 'print the JSON Schema of the configuration and exit')
      .addHelpText('after', examples)
      .action(async (options: ServeOptions) => {
        const { config, fromEnvironment, printSchema } = options
        if (
          [config, fromEnvironment, printSchema].filter((each) => each !== undefined).length !== 1
        )
          throw new CommandError('Pass one of --config, --from-environment and --print-schema', {
            hint: 'See the examples in polgate serve --help.',
          })
        if (printSchema) {
          const { configSchemaText } = await import('polgate-service/configSchema.ts')
          process.stdout.write(configSchemaText())
          return
        }
        const { runService, runInEnvironment } = await import('./runService.ts')
        await (config === undefined ? runInEnvironment() : runService(config))
      })
  },
}
