import type { Command } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import type { StudioCommandOptions } from './studio/runStudio.ts'

const examples = `
Examples:
  polgate studio --target svc-target.yaml          show this gateway in the browser, at the printed address
  polgate studio --target svc-target.yaml --open   open it at once

Studio is read-only for a gateway that is no local stack: it shows tasks and policies, and simulates. polgate start
serves it for its own stack. The file is that of polgate certify: gatewayUrl, explorerUrl, keys.read, and chain
for what is read on chain. Keys stay in this process; the browser never sees them.`

/** Serves the web UI for any gateway, read-only. */
export const studio: CommandDefinition = {
  define(command: Command) {
    command
      .requiredOption('--target <file>', 'target file of the gateway, as for polgate certify')
      .option('--port <number>', 'port of Studio (default 8602, or a free one)')
      .option('--open', 'open Studio in the browser')
      .option('--json', 'print the address as JSON')
      .addHelpText('after', examples)
      .action(async (options: StudioCommandOptions) => {
        const { runStudio } = await import('./studio/runStudio.ts')
        await runStudio(options)
      })
  },
}
