import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createChainClient } from 'polgate-chain/client.ts'
import { startedUnlessAborted } from 'polgate-lib/async/startedUnlessAborted.ts'
import { reasonOf } from 'polgate-lib/errors/systemError.ts'
import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import type { LocalStackOptions } from 'polgate-local/localStackOptions.ts'
import { removeStackFile, stackFilePath, writeStackFile } from 'polgate-local/stackFile.ts'
import { registerStack, unregisterStack } from 'polgate-local/stackRegistry.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { Secrets } from 'polgate-service/envelopes/secrets.ts'
import { withTelemetryOf } from 'polgate-service/telemetry/openTelemetry.ts'
import { banner } from './banner.ts'
import { colours } from './colours.ts'
import { CommandError } from './commandDefinition.ts'
import { type ConformanceRunsOfStack, conformanceRuns } from './conformanceRuns/conformanceRuns.ts'
import { exit } from './exit.ts'
import { exitCodeOf } from './exitCodeOf.ts'
import { bootOnFreePorts, isFree, type Ports } from './freePorts.ts'
import { chainIdOf } from './policy/httpOptions.ts'
import { readSecrets } from './policy/inputFiles.ts'
import { splitName } from './policy/policyFlags.ts'
import { runAround } from './runAround.ts'
import { closeBeforeExit, endingSignal, parentGone } from './signals.ts'
import { brandOption } from './stack/brandOption.ts'
import { type ReplaceableMocks, replaceableMocks } from './stack/replaceableMocks.ts'
import { checkCombinations } from './stack/startCombinations.ts'
import type { StartOptions } from './stack/startOptions.ts'
import { bootWithStudio } from './studio/bootWithStudio.ts'
import { openOrSay } from './studio/runStudio.ts'
import { serveStudioOfStack } from './studio/studioOfStack.ts'

/** What this command adds to a local stack. */
type Injected = {
  readonly mocks: ReplaceableMocks | undefined
  readonly conformance: ConformanceRunsOfStack
}

type TelemetryOption = Pick<LocalStackOptions, 'telemetry'>

/** Replaced by free ports when in use. Studio has 8602: see `studio/serveOnFreePort.ts`. */
export const preferred = {
  gateway: 8600,
  explorer: 8601,
  chain: 8545,
  control: 8603,
  fixtureHost: 8604,
  admin: 8605,
}

/** `polgate start`. Exits the process explicitly, so that a pending handle cannot keep it alive. */
export async function runStack(options: StartOptions): Promise<never> {
  const ending = Promise.race([
    endingSignal(),
    ...(options.detached ? [] : [parentGone().gone.then(sayParentEnded)]),
  ])
  checkCombinations(options)
  const files = [stackFilePath, ...(options.readyFile ? [resolve(options.readyFile)] : [])]
  for (const file of files) checkWritable(file)
  const mocks = await mocksOf(options)
  const conformance = conformanceRuns({
    directory: options.dataDir && join(resolve(options.dataDir), 'conformance'),
  })
  const stack = await booted(options, ending, { mocks, conformance })
  let code = 0
  try {
    conformance.describe(stack.description)
    for (const file of files) await writeStackFile(stack.description, file)
    // Commands in other folders find it; one of this folder reads the file.
    await registerStack(process.pid, stackFilePath).catch(() => {})
    if (options.exec === undefined) {
      code = exitCodeOf(await ending)
      if (code === 130 || code === 143) code = 0
    } else {
      code = await runAround({ command: options.exec, env: addressesOf(stack.description), ending })
    }
  } finally {
    // Without --exec a signal has ended it, which is acknowledged wherever it comes from.
    if (!options.json && (process.stderr.isTTY || options.exec === undefined)) sayStopping()
    for (const file of files) await removeStackFile(process.pid, file)
    await unregisterStack(process.pid).catch(() => {})
    await closeBeforeExit(conformance.close)
    await closeBeforeExit(stack.close)
    await mocks?.close()
  }
  return exit(code)
}

/**
 * What hosts answer to the oracles of this process; `polgate dev` replaces it.
 *
 * @throws CommandError before the stack starts
 */
async function mocksOf({ mock: files = [], secretsFile = [], operatorProcesses }: StartOptions) {
  const secrets = new Map<string, Secrets>()
  for (const text of secretsFile) {
    const [oracle, file] = splitName(text)
    secrets.set(oracle, { ...secrets.get(oracle), ...(await readSecrets(file)).secrets })
  }
  if (files.length === 0)
    return operatorProcesses ? undefined : replaceableMocks(undefined, secrets)
  const { mockStack } = await import('./stack/mockStack.ts')
  return replaceableMocks(await mockStack(files, secrets), secrets)
}

function sayParentEnded(): 'SIGHUP' {
  process.stderr.write(
    '\nThe process that started this stack has ended. To keep it running: polgate start --detached\n',
  )
  return 'SIGHUP'
}

const sayStopping = () => process.stderr.write(colours(process.stderr).dim('\nstopping ...\n'))

/** Starts the stack; a signal ends the process within seconds, whatever the start is doing. */
async function booted(
  options: StartOptions,
  ending: Promise<NodeJS.Signals>,
  injected: Injected,
): Promise<LocalStack> {
  const interrupt = new AbortController()
  let received: NodeJS.Signals | undefined
  void ending.then((signal) => {
    received = signal
    interrupt.abort(new Error(`interrupted by ${signal}`))
  })
  const acknowledge = () => sayStopping()
  interrupt.signal.addEventListener('abort', acknowledge, { once: true })
  try {
    return await startedUnlessAborted(interrupt.signal, {
      starting: begin(options, interrupt.signal, injected),
      close: ({ close }) => close(),
    })
  } catch (error) {
    if (received === undefined) throw error
    return exit(exitCodeOf(received))
  } finally {
    interrupt.signal.removeEventListener('abort', acknowledge)
  }
}

/** @throws CommandError before the stack starts, rather than after */
export function checkWritable(file: string): void {
  const probe = `${file}.${process.pid}.probe`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(probe, '', { mode: 0o600 })
    rmSync(probe)
  } catch (cause) {
    throw new CommandError(`cannot write ${file}: ${reasonOf(cause)}`, {
      hint: 'The stack describes itself in this file. Start it in a folder that you can write to.',
      cause,
    })
  }
}

const addressesOf = ({ gatewayUrl, explorerUrl, adminUrl }: StackDescription) => ({
  SVC_STACK_FILE: stackFilePath,
  SVC_GATEWAY_URL: gatewayUrl,
  SVC_EXPLORER_URL: explorerUrl,
  SVC_ADMIN_URL: adminUrl,
})

async function begin(
  options: StartOptions,
  signal: AbortSignal,
  { mocks, conformance }: Injected,
): Promise<LocalStack> {
  const started = performance.now()
  const say = (text: string) => {
    if (!options.json) process.stderr.write(`${colours(process.stderr).dim(`${text} ...`)}\n`)
  }
  return bootWithStudio({
    boot: async () =>
      bootOnFreePorts(await portsOf(options), (ports) =>
        startStack({
          ports: { ...ports, ...requestsOf(options) },
          // Absolute, so that errors show the full path.
          dataDir: options.dataDir === undefined ? undefined : resolve(options.dataDir),
          operatorProcesses: options.operatorProcesses,
          threshold: options.threshold,
          secondNetwork: options.secondNetwork,
          timeTravel: true,
          taskTraces: options.studio !== false,
          chainId: chainIdOf(options.chainId),
          forkUrl: options.forkUrl,
          blockTime: options.blockTime,
          allowedOracleHosts: options.allowHost,
          conformance,
          ...(mocks === undefined ? {} : { mocks, parts: { oracleEgress: mocks.egress } }),
          brand: brandOption(options.brand ?? []),
          logLevel: options.log,
          telemetry: withTelemetryOf<TelemetryOption>({}).telemetry,
          progress: say,
          signal,
        }),
      ),
    serve: options.studio === false ? undefined : serveStudioOfStack,
    ready: async ({ description, service }, studio) => {
      // With --exec stdout belongs to the command.
      const out = options.exec === undefined ? process.stdout : process.stderr
      if (options.json) {
        out.write(`${JSON.stringify(description)}\n`)
      } else {
        const client = createChainClient({ rpcUrl: description.chain.rpcUrl })
        const block = Number(await client.getBlockNumber())
        const seconds = (performance.now() - started) / 1000
        const facts = { ...service.encryptionKeys, block, seconds }
        out.write(banner(description, facts, colours(out), outputWidth(out)))
      }
      if (options.open === true && studio !== undefined) void openOrSay(studio)
    },
  })
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

/** With the fault injection that the suite needs to certify it. */
async function startStack(options: LocalStackOptions): Promise<LocalStack> {
  const { startChaosStack } = await import('polgate-self-test/local/localChaos.ts')
  options.signal?.throwIfAborted()
  return startChaosStack(options)
}
