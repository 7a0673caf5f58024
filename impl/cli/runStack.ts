import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createChainClient } from 'polgate-chain/client.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { removeStackFile, stackFilePath, writeStackFile } from 'polgate-local/stackFile.ts'
import { wireBrand } from 'polgate-protocol/brand.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { banner } from './banner.ts'
import { colours } from './colours.ts'
import { CommandError } from './commandDefinition.ts'
import { bootOnFreePorts, isFree, type Ports } from './freePorts.ts'
import { closeBeforeExit, endingSignal, exitCodeOf, parentGone } from './signals.ts'
import { startStack } from './suite/stack.ts'

export type StartOptions = {
  readonly port?: number
  readonly chainPort?: number
  readonly explorerPort?: number
  readonly dataDir?: string
  readonly readyFile?: string
  readonly exec?: string
  readonly json?: boolean
  readonly log?: string
  readonly detached?: boolean
  readonly brand?: string
  readonly operatorProcesses?: boolean
  readonly threshold?: number
  readonly secondNetwork?: boolean
}

/** Replaced by free ports when in use; 8602 is reserved for the dashboard. */
const preferred = {
  gateway: 8600,
  explorer: 8601,
  chain: 8545,
  control: 8603,
  fixtureHost: 8604,
  admin: 8605,
}

/** `polgate start`. Exits the process explicitly, so that a pending handle cannot keep it alive. */
export async function runStack(options: StartOptions): Promise<never> {
  const signal = endingSignal()
  const orphaned = options.detached
    ? new Promise<never>(() => {})
    : parentGone().gone.then(() => 'SIGHUP' as const)
  const starting = begin(options)
  const ending = Promise.race([signal, orphaned])
  const first = await Promise.race([starting, ending])
  if (typeof first === 'string') {
    // Interrupted during startup: close the stack as soon as it has started.
    await starting.then((started) => started.close()).catch(() => {})
    process.exit(exitCodeOf(first))
  }
  const stack = first
  const files = options.readyFile === undefined ? [] : [resolve(options.readyFile)]
  for (const file of [stackFilePath, ...files]) await writeStackFile(stack.description, file)
  let code = 0
  try {
    if (options.exec === undefined) {
      code = exitCodeOf(await ending)
      if (code === 130 || code === 143) code = 0
    } else {
      code = await runAround(options.exec, stack.description, ending)
    }
  } finally {
    if (process.stderr.isTTY && !options.json)
      process.stderr.write(colours(process.stderr).dim('\nstopping ...\n'))
    for (const file of [stackFilePath, ...files]) await removeStackFile(process.pid, file)
    await closeBeforeExit(stack.close)
  }
  process.exit(code)
}

async function begin(options: StartOptions): Promise<LocalStack> {
  const started = performance.now()
  const say = (text: string) => {
    if (!options.json) process.stderr.write(`${colours(process.stderr).dim(`${text} ...`)}\n`)
  }
  const stack = await bootOnFreePorts(await portsOf(options), (ports) =>
    startStack({
      ports: { ...ports, ...requestsOf(options) },
      // Absolute, so that errors show the full path.
      dataDir: options.dataDir === undefined ? undefined : resolve(options.dataDir),
      operatorProcesses: options.operatorProcesses,
      threshold: options.threshold,
      secondNetwork: options.secondNetwork,
      brand: options.brand === undefined ? undefined : wireBrand(options.brand),
      logLevel: options.log,
      progress: say,
    }),
  )
  const { description, service } = stack
  if (options.json) {
    process.stdout.write(`${JSON.stringify(description)}\n`)
  } else {
    const client = createChainClient({ rpcUrl: description.chain.rpcUrl })
    const block = Number(await client.getBlockNumber())
    const seconds = (performance.now() - started) / 1000
    process.stdout.write(
      banner(description, { ...service.encryptionKeys, block, seconds }, colours(process.stdout)),
    )
  }
  return stack
}

const requestsOf = ({ port, chainPort, explorerPort }: StartOptions): Ports => ({
  ...(port === undefined ? {} : { gateway: port }),
  ...(chainPort === undefined ? {} : { chain: chainPort }),
  ...(explorerPort === undefined ? {} : { explorer: explorerPort }),
})

/** Preferred ports for listeners without a port option. Ports given as options must be free. */
async function portsOf(options: StartOptions): Promise<Ports> {
  const asked = requestsOf(options)
  for (const number of Object.values(asked)) {
    if (number === 0 || (await isFree(number))) continue
    throw new CommandError(`Port ${number} is in use`, {
      hint: 'Choose another, or omit the option to use a free one.',
    })
  }
  return Object.fromEntries(Object.entries(preferred).filter(([name]) => !(name in asked)))
}

/** Runs a shell command while the stack is up; a signal is passed to the command first. */
function runAround(
  command: string,
  { gatewayUrl, explorerUrl }: StackDescription,
  ending: Promise<NodeJS.Signals>,
): Promise<number> {
  return new Promise((done) => {
    const child = spawn(command, {
      shell: true,
      stdio: 'inherit',
      env: {
        ...process.env,
        SVC_STACK_FILE: stackFilePath,
        SVC_GATEWAY_URL: gatewayUrl,
        SVC_EXPLORER_URL: explorerUrl,
      },
    })
    child.once('error', () => done(2))
    child.once('exit', (code, signal) => done(code ?? exitCodeOf(signal ?? 'SIGTERM')))
    ending.then((signal) => child.kill(signal))
  })
}
