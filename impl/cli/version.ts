import type { Command } from 'commander'
import type { CompatibilityOptions } from './checkCompatibility.ts'
import type { CommandDefinition } from './commandDefinition.ts'

const examples = `
Examples:
  polgate version info --json
  polgate version check-compatibility --policy-client 0xe7f1...0512   on the chain of the local stack
  polgate version check-compatibility --policy-client 0xe7f1...0512 --rpc-url https://node.example
  polgate version check-compatibility --policy 1.2.0 --policy-data 1.0.4

Use SVC_CHAIN_RPC_URL for a node URL that contains a key, to keep it off the command line.`

/** Section 9: prints versions, and checks the version of a policy (decision C14). */
export const version: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    command
      .command('info', { isDefault: true })
      .description('versions of the service, its engine and its interfaces')
      .option('--json', 'print JSON')
      .action(async (options: { json?: boolean }) => {
        const { versionInfo } = await import('./versionInfo.ts')
        const info = await versionInfo()
        if (options.json) return console.log(JSON.stringify(info))
        for (const [name, value] of Object.entries(info)) console.log(`${name.padEnd(18)}${value}`)
      })
    command
      .command('check-compatibility')
      .description('exit 0 if all versions are compatible with this service, 1 if one is not')
      .option('--policy-client <address>', 'read the versions of its contracts from the chain')
      .option(
        '--rpc-url <url>',
        'node of that chain; default SVC_CHAIN_RPC_URL, or that of `polgate start` here',
      )
      .option('--policy <version>', 'version of a Policy contract')
      .option('--policy-data <version>', 'version of a PolicyData contract')
      .option('--json', 'print JSON')
      .action(async (options: CompatibilityOptions & { json?: boolean }) => {
        const { checkCompatibility } = await import('./checkCompatibility.ts')
        const rows = await checkCompatibility(options)
        if (rows.some(({ compatible }) => !compatible)) process.exitCode = 1
        if (options.json) return console.log(JSON.stringify(rows))
        for (const { contract, address, version, minimum, compatible } of rows) {
          const name = address === undefined ? contract : `${contract} ${address}`
          const verdict = compatible ? 'compatible' : 'incompatible'
          console.log(
            `${name} ${version || 'without a version'}: ${verdict}, requires >= ${minimum}`,
          )
        }
      })
  },
}
