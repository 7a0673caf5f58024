import type { Command } from 'commander'
import { CommandError, type Verb } from './verb.ts'

const examples = `
Examples:
  svc version info --json
  svc version check-compatibility --policy 0.2.0 --policy-data 0.1.4`

/** Section 9: what this is made of, and whether a policy's version fits (decision C14). */
export const version: Verb = {
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
      .description('exit 0 when the versions fit this service, 1 when one does not')
      .option('--policy <version>', 'what `version()` of the Policy contract says')
      .option('--policy-data <version>', 'what `version()` of the PolicyData contract says')
      .action(async (options: { policy?: string; policyData?: string }) => {
        if (options.policy === undefined && options.policyData === undefined) {
          throw new CommandError('Nothing to check', { hint: 'Give --policy or --policy-data.' })
        }
        const { isCompatible, minimumVersions } = await import('../tasks/versions.ts')
        for (const part of ['policy', 'policyData'] as const) {
          const found = options[part]
          if (found === undefined) continue
          const fits = isCompatible(found, minimumVersions[part])
          if (!fits) process.exitCode = 1
          const verdict = fits ? 'compatible' : 'incompatible'
          console.log(`${part} ${found}: ${verdict}, the minimum is ${minimumVersions[part]}`)
        }
      })
  },
}
