import { basename } from 'node:path'
import { systemClock } from 'polgate-protocol/clock.ts'
import { RawJson, stringifyExact } from 'polgate-protocol/exactJson.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { wasmFailurePrefix } from 'polgate-service/oracles/oracleError.ts'
import { checkData } from 'polgate-service/tasks/checkAnswer.ts'
import { CommandError } from '../commandDefinition.ts'
import { openExchanges } from './exchanges.ts'
import { chainIdOf, checkHttpOptions, type HttpOptions, limitsOf } from './httpOptions.ts'
import { checkWasmArgs, readComponent, readSecrets, readText } from './inputFiles.ts'
import { note, printable, shownMs, stageLines } from './notes.ts'
import { openSimulator, simulatedClient } from './simulator.ts'

export type SimulateOracleOptions = HttpOptions & {
  readonly chainId?: string
  readonly wasmFile: string
  readonly inputJson: string
  readonly secretsFile?: string
  readonly secretsSchema?: string
}

/** Section 1: prints the output of an oracle on stdout; exit 1 when it fails. */
export async function simulateOracle(options: SimulateOracleOptions): Promise<void> {
  const begin = performance.now()
  checkHttpOptions(options)
  const chainId = chainIdOf(options.chainId) ?? 0
  const limits = limitsOf(options.limit)
  const wasmArgs = checkWasmArgs('--input-json', options.inputJson)
  if (!isJson(wasmArgs)) note('--input-json is not JSON; it is passed to the oracle unchanged')
  const { secretsFile, secretsSchema } = options
  if (secretsSchema !== undefined && secretsFile === undefined)
    throw new CommandError('--secrets-schema requires --secrets-file', {
      hint: 'Add --secrets-file FILE, or leave it out.',
    })
  const secrets = secretsFile === undefined ? undefined : await readSecrets(secretsFile)
  const schema =
    secretsSchema === undefined
      ? undefined
      : { path: secretsSchema, text: await readText(secretsSchema) }
  const component = await readComponent(options.wasmFile, note)
  const exchanges = await openExchanges({
    ...options,
    secrets: new Map([['', secrets?.secrets ?? {}]]),
    clock: systemClock,
  })
  const oracle = { name: undefined, component, wasmArgs, secrets: secrets?.bytes }
  const simulator = await openSimulator({
    oracles: [{ ...oracle, secretsSchema: schema }],
    exchanges,
    limits,
    allowedHosts: options.allowHost,
    chainId,
  })
  const [stages] = simulator.stages
  try {
    const answer = await outputOf(simulator, exchanges.unknown)
    exchanges.unknown.throwIfAborted()
    const total = performance.now() - begin
    await exchanges.finish(note)
    if (options.timings === true) {
      for (const line of stageLines(basename(options.wasmFile), stages!)) console.error(line)
      console.error(`total  ${shownMs(total)}`)
    }
    const { output, error } = answer
    if (options.json === true) {
      const { http, transpiled, load, run } = stages!
      const timings = { load, run, total }
      const specifier = simulator.sources[0]!.wasmCid
      const shown = output === undefined ? null : new RawJson(output)
      console.log(stringifyExact({ output: shown, error, specifier, http, transpiled, timings }))
      process.exitCode = error === null ? 0 : 1
    } else if (output === undefined) {
      // As an operator reports it: a result of the run, not a failure of the command.
      console.error(`error: ${printable(error ?? wasmFailurePrefix)}`)
      process.exitCode = 1
    } else {
      console.log(output)
    }
    if (output !== undefined) noteErrors(output)
  } finally {
    await simulator.close()
  }
}

type Simulator = Awaited<ReturnType<typeof openSimulator>>

async function outputOf(
  { operator, sources, naming }: Simulator,
  signal: AbortSignal,
): Promise<{ readonly output: string | undefined; readonly error: string | null }> {
  try {
    const request = { policyClient: simulatedClient, sources }
    const { outputs } = checkData(await operator.collectData(request, signal), 1)
    return { output: outputs[0], error: null }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ServiceError)) throw error
    return { output: undefined, error: naming(error.message) }
  }
}

/** By convention a pack reports a failure in the member `error` (section 1). */
function noteErrors(output: string): void {
  for (const [pack, value] of Object.entries(JSON.parse(output) as Record<string, unknown>)) {
    if (typeof value !== 'object' || value === null || !('error' in value)) continue
    note(`${pack} reports an error; a policy that fails closed would deny`)
  }
}

function isJson(text: string): boolean {
  if (text === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
