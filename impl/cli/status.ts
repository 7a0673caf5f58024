import type { Command } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import type { StatusOptions } from './status/showStatus.ts'

const examples = `
Examples:
  polgate status                                 the stack of this folder or above, else the only one
  polgate status --admin http://127.0.0.1:8605   a gateway, by the address of its admin listener
  polgate status other/.svc/stack.json --json    a stack by its description, as JSON

The admin listener serves /readyz, /healthz and /metrics; polgate start prints its address and writes it to
.svc/stack.json, polgate serve prints it as adminUrl. SVC_ADMIN_URL is used where no stack is found.
Checks that are late on a busy machine are asked for again, for five seconds.

Exit codes: 0 ready, 1 not ready or degraded, 2 unreachable.`

/** Shows readiness, and the state of every part of a service. */
export const status: CommandDefinition = {
  define(command: Command) {
    command
      .argument('[target]', 'the description of a stack, or an admin URL')
      .option('--admin <url>', 'address of the admin listener')
      .option('--target <file>', 'the description of a stack, as the argument')
      .option('--json', 'print JSON')
      .addHelpText('after', examples)
      .action(async (target: string | undefined, options: StatusOptions) => {
        const { showStatus } = await import('./status/showStatus.ts')
        await showStatus(target, options)
      })
  },
}
