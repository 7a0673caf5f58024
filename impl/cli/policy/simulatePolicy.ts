import type { IntentDomain } from 'polgate-chain/intentDomain.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { systemClock } from 'polgate-protocol/clock.ts'
import {
  SimulatePolicyParams,
  type SimulatePolicyResult,
} from 'polgate-protocol/methods/simulatePolicy.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { paramsParser } from 'polgate-service/gateway/params.ts'
import type { EvaluationAnswer, Operator } from 'polgate-service/operators/operator.ts'
import { simulatePolicy as simulateAsService } from 'polgate-service/tasks/simulatePolicy.ts'
import { minimumVersions } from 'polgate-service/tasks/versions.ts'
import { CommandError } from '../commandDefinition.ts'
import { openExchanges } from './exchanges.ts'
import { chainIdOf, checkHttpOptions, limitsOf } from './httpOptions.ts'
import { parseJson, readJson, readParams, readPolicy, readText } from './inputFiles.ts'
import { readIntentDomainFile } from './intentDomainFile.ts'
import { note } from './notes.ts'
import { filesOf, type SimulatePolicyOptions } from './policyFlags.ts'
import { readOracles } from './policyPackage.ts'
import { isAllowed, type PolicyAnswer, showPolicy } from './policyReport.ts'
import { openSimulator, type Simulator, simulatedClient } from './simulator.ts'

const parseParams = paramsParser(SimulatePolicyParams)

/**
 * `polgate policy simulate`: runs oracles and policy from files with the code of the service. Sets exit
 * code 0 if evaluation succeeded, 1 if it failed or the decision differs from `--expect`.
 *
 * @throws CommandError, RecordingError
 */
export async function simulatePolicy(
  directory: string | undefined,
  options: SimulatePolicyOptions,
): Promise<void> {
  const begin = performance.now()
  checkHttpOptions(options)
  const limits = limitsOf(options.limit)
  const { files, wasmArgs } = await filesOf(directory, options)
  const { entrypoint } = files
  const source = await readPolicy(required(files.policy, '--policy FILE'))
  const intent = await readJson(required(files.intent, '--intent FILE'))
  const params = files.params === undefined ? {} : await readParams(files.params)
  const signingDomain =
    files.intentDomain === undefined ? undefined : await readIntentDomainFile(files.intentDomain)
  const paramsSchema =
    files.paramsSchema === undefined ? undefined : await readText(files.paramsSchema)
  if (options.data !== undefined) parseJson('--data', options.data)
  const oracles = await readOracles(files.oracles, { wasmArgs, note })
  const { inputs, secrets } = oracles
  const exchanges = await openExchanges({ ...options, secrets, clock: systemClock })
  const simulator = await openSimulator({
    oracles: inputs,
    exchanges,
    limits,
    allowedHosts: options.allowHost,
    chainId: chainIdOf(options.chainId) ?? 0,
  })
  try {
    const loaded = performance.now()
    const request = requestOf({ source, intent, params, entrypoint, options, simulator })
    noteOtherChain(request.intent.chain_id, chainIdOf(options.chainId))
    const answer = await evaluated(simulator, request, {
      schemas: inputs.map(({ secretsSchema }) => secretsSchema),
      paramsSchema,
      signingDomain,
      data: options.data,
      now: exchanges.now,
      signal: exchanges.unknown,
    })
    exchanges.unknown.throwIfAborted()
    const end = performance.now()
    await exchanges.finish(note)
    showPolicy(answer, {
      json: options.json === true,
      packs: inputs.map(({ name }, at) => ({ name: name ?? '', stages: simulator.stages[at]! })),
      timings: { read: loaded - begin, total: end - begin },
      more: options.timings === true,
    })
    if (simulator.stages.some(({ http }) => http.some(({ error }) => error !== undefined))) {
      noteRecorded(files.exchanges, options)
    }
    process.exitCode = exitCodeOf(answer.result, options.expect)
  } finally {
    await simulator.close()
  }
}

function required(path: string | undefined, flag: string): string {
  if (path !== undefined) return path
  throw new CommandError(`${flag} is missing`, {
    hint: 'Pass a package folder that contains it, or the file.',
  })
}

/** The params of section 4.8, validated as the gateway does. @throws CommandError */
function requestOf(given: {
  readonly source: string
  readonly intent: unknown
  readonly params: unknown
  readonly entrypoint: string | undefined
  readonly options: SimulatePolicyOptions
  readonly simulator: Simulator
}): SimulatePolicyParams {
  const { source: policy, intent, params: policy_params, entrypoint, options, simulator } = given
  const { intentSignature: intent_signature } = options
  try {
    return parseParams({
      policy_client: simulatedClient,
      policy,
      intent,
      policy_params,
      entrypoint,
      intent_signature,
      policy_data: simulator.sources.map(({ policyDataAddress, wasmArgs }) => ({
        policy_data_address: policyDataAddress,
        wasm_args: wasmArgs,
      })),
    }) as SimulatePolicyParams
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause
    throw new CommandError(cause.message, {
      hint: 'The service would return this error. Intents use snake_case members (section 2.2).',
      cause,
    })
  }
}

/** Points to the recorded exchanges of a package when its servers are unreachable. */
function noteRecorded(path: string | undefined, { record, replay }: SimulatePolicyOptions): void {
  if (path === undefined || record !== undefined || replay !== undefined) return
  note(`an HTTP call failed; use --replay ${path} to run with the recorded exchanges`)
}

function noteOtherChain(intentChain: string, chainId: number | undefined): void {
  if (chainId === undefined || BigInt(intentChain) === BigInt(chainId)) return
  note(
    `the intent is for chain ${BigInt(intentChain)}; a client on chain ${chainId} would refuse it`,
  )
}

async function evaluated(
  simulator: Simulator,
  request: SimulatePolicyParams,
  given: {
    readonly schemas: readonly (string | undefined)[]
    readonly paramsSchema: string | undefined
    readonly signingDomain: IntentDomain | undefined
    readonly data: string | undefined
    readonly now: () => number
    readonly signal: AbortSignal
  },
): Promise<PolicyAnswer> {
  const owner: Address = `0x${'0a'.repeat(20)}`
  const { paramsSchema, data } = given
  const paramsSchemaCid = paramsSchema === undefined ? '' : simulator.addContent(paramsSchema)
  let evaluation: EvaluationAnswer | undefined
  const operator: Operator = {
    ...simulator.operator,
    async evaluate(asked, signal) {
      const outputs = data === undefined ? asked.data : [data]
      evaluation = await simulator.operator.evaluate(
        { ...asked, paramsSchemaCid, data: outputs },
        signal,
      )
      return evaluation
    },
  }
  const at = (address: Address) =>
    simulator.sources.findIndex(({ policyDataAddress }) => policyDataAddress === address)
  const deps = {
    brand: defaultBrand,
    clock: given.now,
    minimumVersions,
    secrets: {
      get: async ({ policyDataAddress }: { policyDataAddress: Address }) =>
        simulator.sources[at(policyDataAddress)]?.envelope ?? undefined,
    },
    chain: {
      owner: async () => owner,
      signingDomain: async () => given.signingDomain,
      policyData: async (policyDataAddress: Address) => {
        const { wasmCid } = simulator.sources[at(policyDataAddress)]!
        const schema = given.schemas[at(policyDataAddress)]
        return {
          policyDataAddress,
          wasmCid,
          secretsSchemaCid: schema === undefined ? '' : simulator.addContent(schema),
          expireAfter: 0,
          version: '1.0.0',
          attesters: [],
        }
      },
    },
  }
  const caller = { keyId: 'command line', owners: [owner] }
  const result = await simulateAsService(
    { deps, ask: (call) => call(operator, given.signal) },
    request,
    caller,
  )
  const named = result.error == null ? result : { ...result, error: simulator.naming(result.error) }
  return { result: named, evaluation }
}

function exitCodeOf(result: SimulatePolicyResult, expected: string | undefined): number {
  if (!result.success) return 1
  if (expected === undefined) return 0
  const decision = isAllowed(result) ? 'allow' : 'deny'
  if (decision === expected) return 0
  console.error(`error: expected ${expected}, but the decision is ${decision}`)
  return 1
}
