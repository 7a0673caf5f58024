import { type Command, InvalidArgumentError } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import { endingSignal } from './signals.ts'
import type { StartOptions } from './stack/startOptions.ts'

const examples = `
Examples:
  polgate start                               use ports 8600, 8601 and 8545, or free ones if in use
  polgate start --port 9000 --data-dir ./dev  persist chain and tasks across restarts
  polgate start --open                        open the web UI of the stack in the browser
  polgate start --json > stack.json           print addresses and keys as JSON
  polgate start --exec 'npm run my-tests'     start, run the command, stop; the command receives
                                              SVC_STACK_FILE, SVC_GATEWAY_URL, SVC_EXPLORER_URL and
                                              SVC_ADMIN_URL, and owns stdout
  polgate start --mock my-package/mocks.yaml  oracles get these answers instead of those of their hosts
  polgate start --fork-url "$RPC_URL"          contracts of another chain are there, at its latest block
  polgate start --brand methods=acme,rego-namespace=acme,host-interface=acme:oracles
  polgate start --brand acme --exec 'npx polgate certify --target $SVC_GATEWAY_URL'

--brand has the parts methods, topics, signature-header, network-header, host-interface and rego-namespace;
headers is both headers. A part gets the name that the brand gives it (topics=acme: acme.task.), or a text as it is
(topics=acme/). --brand acme alone changes methods, topics and headers.

Without --data-dir nothing is persisted. All keys are public and the same on every start.`

/** Runs the local stack until it is stopped. */
export const start: CommandDefinition = {
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
      .option('--data-dir <dir>', 'persist chain, tasks and keys here')
      .option('--ready-file <file>', 'write the stack description to this file when ready')
      .option(
        '--exec <command>',
        "run a command while the stack is up; stdout is the command's, and so is the exit code",
      )
      .option(
        '--json',
        'print the stack description as JSON instead of the banner; on stderr with --exec',
      )
      .option('--operator-processes', 'run every operator as a separate process')
      .option(
        '--threshold <number>',
        'share the privacy key among the operators; 2 to 4 of them decrypt together',
        operatorCount,
      )
      .option('--second-network', 'add a second chain to the explorer as base-sepolia')
      .option(
        '--brand <name|part=name>',
        'names on the wire: acme serves acme_createTask; methods=acme only that',
        collect,
        [],
      )
      .option(
        '--mock <file>',
        'answer oracles for the hosts of a mocks.yaml, instead of these',
        collect,
        [],
      )
      .option(
        '--secrets-file <[oracle=]file>',
        'secrets that recordings and hosts of --mock name',
        collect,
        [],
      )
      .option(
        '--allow-host <host:port>',
        'let oracles ask a service on this machine or network',
        hostAndPort,
        [],
      )
      .option(
        '--chain-id <number>',
        'chain id of the local chain (default 31337, or of the forked chain)',
      )
      .option('--fork-url <url>', 'fork the chain of this node, instead of an empty one')
      .option(
        '--block-time <seconds>',
        'mine a block at this interval, instead of one per transaction at once',
        blockSeconds,
      )
      .option('--no-studio', 'do not serve Studio, the web UI of the stack')
      .option('--open', 'open Studio in the browser when the stack is ready')
      .option('--detached', 'keep running when the parent process ends')
      .option('--log <level>', 'log requests to stderr: debug, info, warn, error', 'silent')
      .addHelpText('after', examples)
      .action(async (_: StartOptions, called: Command) => {
        // Before its module loads, which takes a moment: a signal is acknowledged from the beginning.
        void endingSignal()
        const { runStack } = await import('./runStack.ts')
        await runStack(called.optsWithGlobals<StartOptions>())
      })
  },
}

const collect = (text: string, all: readonly string[]) => [...all, text]

function hostAndPort(text: string, all: readonly string[]): readonly string[] {
  const [, port] =
    /^(?:[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]+\]):(\d{1,5})$/i.exec(text)?.slice(1) ??
    []
  if (port !== undefined && Number(port) >= 1 && Number(port) <= 65_535)
    return [...all, text.toLowerCase()]
  throw new InvalidArgumentError('Use a name or address and a port, such as localhost:3000.')
}

function blockSeconds(text: string): number {
  const seconds = Number(text)
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 3_600) return seconds
  throw new InvalidArgumentError('Use whole seconds from 1 to 3600.')
}

function operatorCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 2 && count <= 4) return count
  throw new InvalidArgumentError('Use 2, 3 or 4 of the four operators of a local stack.')
}

function portNumber(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('Use a number from 0 to 65535.')
}
