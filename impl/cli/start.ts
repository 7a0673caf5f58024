import type { Command } from 'commander'
import type { StartOptions } from './runStack.ts'
import { CommandError, type Verb } from './verb.ts'

const examples = `
Examples:
  svc start                              on ports 8600, 8601 and 8545, or free ones where they are taken
  svc start --port 9000 --data-dir ./dev keep chain and tasks from one start to the next
  svc start --json > stack.json          addresses and keys for a program
  svc start --exec 'npm run my-tests'    boot, run the command, end; SVC_STACK_FILE, SVC_GATEWAY_URL and
                                         SVC_EXPLORER_URL tell it of the stack
  svc start --brand acme --exec 'npm run certify -- --target $SVC_GATEWAY_URL'

Without --data-dir nothing is kept. Every key is public and the same on each start.`

/** Boots the local stack and keeps it until it is told to end. */
export const start: Verb = {
  define(command: Command) {
    command
      .option('--port <number>', 'port of the gateway (default 8600, or a free one)', portNumber)
      .option(
        '--chain-port <number>',
        'port of the chain (default 8545, or a free one)',
        portNumber,
      )
      .option(
        '--explorer-port <number>',
        'port of the explorer (default 8601, or a free one)',
        portNumber,
      )
      .option('--data-dir <dir>', 'keep chain, tasks and keys here')
      .option('--ready-file <file>', 'write the description of the stack here when it is ready')
      .option(
        '--exec <command>',
        'run a command around which the stack lives; its exit code is ours',
      )
      .option('--json', 'print the description of the stack as JSON instead of the banner')
      .option('--operator-processes', 'run every operator as a process of its own')
      .option(
        '--threshold <number>',
        'share the privacy key among the operators: 2 to 4 of them open together',
        operatorCount,
      )
      .option('--second-network', 'show a second chain in the explorer, as base-sepolia')
      .option('--brand <maker>', 'serve acme_createTask for acme, instead of svc_', makerName)
      .option('--detached', 'go on when the process that started this is gone')
      .option('--log <level>', 'log requests to stderr: debug, info, warn, error', 'silent')
      .addHelpText('after', examples)
      .action(async (options: StartOptions) => {
        const { runStack } = await import('./runStack.ts')
        await runStack(options)
      })
  },
}

function makerName(text: string): string {
  if (/^[a-z][a-z0-9]{0,31}$/.test(text)) return text
  throw new CommandError(`${text} is not the name of a maker`, {
    hint: 'A name has lower-case letters and digits, and begins with a letter.',
  })
}

function operatorCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 2 && count <= 4) return count
  throw new CommandError(`${text} is not a threshold`, {
    hint: 'Of the four operators of a local stack 2, 3 or 4 open together.',
  })
}

function portNumber(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new CommandError(`${text} is not a port`, { hint: 'A port is a number from 0 to 65535.' })
}
