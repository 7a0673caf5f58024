import { policyParamsJson } from 'polgate-protocol/policyParams.ts'
import type { Address, Hex } from 'polgate-protocol/scalars.ts'
import type { BlsKey } from '../attestation/bls.ts'
import { responseDigest } from '../attestation/digest.ts'
import { ContentError } from '../content/contentError.ts'
import type { ContentStore } from '../content/contentStore.ts'
import type { EnvelopeScope, EnvelopeUse } from '../envelopes/binding.ts'
import type { EncryptionKey } from '../envelopes/encryptionKey.ts'
import { EnvelopeError } from '../envelopes/envelopeError.ts'
import { openSecrets } from '../envelopes/secrets.ts'
import { parseIntent } from '../intents/intent.ts'
import { policyInputJson } from '../intents/policyInput.ts'
import { OracleError, wasmFailurePrefix } from '../oracles/oracleError.ts'
import type { OracleHost } from '../oracles/oracleHost.ts'
import { mainThread } from '../scheduling/computeQueue.ts'
import { encodeEvaluationResult } from './evaluationResult.ts'
import { createInUse } from './inFlight.ts'
import type {
  DataRequest,
  DataSource,
  EvaluationAnswer,
  EvaluationRequest,
  Operator,
  SignRequest,
} from './operator.ts'
import { oracleFailed, privateDataFailed } from './operatorErrors.ts'
import type { PolicyEvaluator } from './policyEvaluator.ts'
import { policyText } from './policyText.ts'
import type { PrivateData } from './privateData.ts'
import { usesNothing } from './privateUses.ts'
import type { SecretsCheck } from './secretsCheck.ts'
import { checkSecretsUpload } from './secretsUpload.ts'
import { taskResponseOf } from './taskResponse.ts'

export type LocalOperatorOptions = {
  readonly address: Address
  readonly key: BlsKey
  /** Decrypts the secrets of oracles (section 4.10). */
  readonly secretsKey: EncryptionKey
  readonly chainId: number
  readonly content: Pick<ContentStore, 'get'>
  readonly oracles: OracleHost
  readonly evaluator: PolicyEvaluator
  readonly secretsCheck: SecretsCheck
  /** Shared by operators of one process with the same key (see `openedSecrets`). */
  readonly secretsInUse: SecretsInUse
  /** Absent: policies that use private data cannot be evaluated for tasks. */
  readonly privateData?: PrivateData | undefined
}

export type SecretsInUse = ReturnType<typeof openedSecrets>

/**
 * Plaintext of secrets, which is in memory only while runs use it, and is wiped after the last of
 * them, whether they succeed, fail or are aborted (section 5.3).
 */
export const openedSecrets = () => createInUse<Uint8Array>((plaintext) => plaintext.fill(0))

/** An operator in this process: fetches content, runs oracles, evaluates and signs (section 1). */
export function localOperator(options: LocalOperatorOptions): Operator {
  const { content, oracles, evaluator, key } = options

  async function runOracle(
    { policyClient: client, envelopeUse }: DataRequest,
    source: DataSource,
    signal: AbortSignal,
  ): Promise<string> {
    const { wasmCid: cid, policyDataAddress, envelope } = source
    const label = `PolicyData ${policyDataAddress}`
    if (cid === '') throw new OracleError('component', `${label} has no component`)
    await oracles.load((shared) => content.get(cid, { signal: shared }), {
      cid,
      label,
      owner: client,
      signal,
    })
    const input = textOf(source.wasmArgs)
    const run = async (secrets?: Uint8Array) =>
      (await oracles.run({ cid, input, secrets, owner: client, signal })).output
    if (envelope === null) return await run()
    const use: EnvelopeUse = envelopeUse ?? 'secrets'
    const scope = { policyClient: client, use, policyData: policyDataAddress }
    // All that decides whether the envelope opens: a shared plaintext is not opened again.
    const shared = [client, use, policyDataAddress.toLowerCase(), envelope].join(' ')
    return await options.secretsInUse(shared, () => opened(scope, envelope), run)
  }

  async function opened(
    scope: Omit<EnvelopeScope, 'chainId'>,
    envelope: string,
  ): Promise<Uint8Array> {
    const { secretsKey: key, chainId } = options
    return (await openSecrets({ ...scope, envelope, key, chainId })).bytes
  }

  const textOfPolicy = (given: EvaluationRequest['policy'], signal: AbortSignal) =>
    'source' in given ? Promise.resolve(given.source) : policyText(content, given.cid, signal)

  async function evaluate(
    request: EvaluationRequest,
    signal: AbortSignal,
    { owner, privateData }: { owner?: Address; privateData?: Uint8Array } = {},
  ): Promise<EvaluationAnswer> {
    const begin = performance.now()
    const { policy: given, paramsSchemaCid: schemaCid } = request
    const [policy, paramsSchema] = await Promise.all([
      textOfPolicy(given, signal),
      schemaCid === '' ? null : policyText(content, schemaCid, signal, 'the schema of the params'),
    ])
    const intent = parseIntent(request.intent)
    const { intentSignature: signature, intentDigest: digest } = request
    const input = policyInputJson(intent, {
      signature: signature ?? undefined,
      digest: digest ?? undefined,
    })
    const { entrypoint, data, now } = request
    const params = policyParamsJson(request.params)
    const outcome = await evaluator.evaluate(
      { owner, source: policy, entrypoint, input, params, paramsSchema, data, now, privateData },
      signal,
    )
    return { ...outcome, policy, input, timings: { rego: performance.now() - begin } }
  }

  /** A simulation has no private data; the policy of a task is evaluated with all that it may use. */
  async function evaluateForTask(
    { evaluation, draft, partials = [] }: SignRequest,
    signal: AbortSignal,
    onWrong: (members: readonly Address[]) => void,
  ): Promise<EvaluationAnswer> {
    const { privateData } = options
    const { policyClient: owner, taskId } = draft
    // One read: what was found to use no private data is what is evaluated.
    const source = await textOfPolicy(evaluation.policy, signal)
    const evaluated = (document?: Uint8Array) =>
      evaluate({ ...evaluation, policy: { source } }, signal, {
        owner,
        ...(document === undefined ? {} : { privateData: document }),
      })
    const uses = await evaluator.privateUses({ owner, source }, signal)
    if (usesNothing(uses)) return await evaluated()
    // Never evaluated without it: missing data means something else to a policy.
    if (privateData === undefined) throw noPrivateData()
    const answer = await privateData.open(taskId, { partials, onWrong }, evaluated)
    // Reasons may contain what was opened, and nobody needs them for a signature.
    return { ...answer, reasons: [] }
  }

  return {
    address: options.address,
    id: key.operatorId,
    async collectData(request: DataRequest, signal) {
      const begin = performance.now()
      try {
        const runs = request.sources.map((source) => runOracle(request, source, signal))
        const outputs = await Promise.all(runs)
        return { outputs, timings: { oracle: performance.now() - begin } }
      } catch (error) {
        throw asOracleFailure(error)
      }
    },
    evaluate: (request, signal) => evaluate(request, signal),
    async beginOpening(task, signal) {
      const { privateData } = options
      if (privateData === undefined) throw noPrivateData()
      return await privateData.begin(task, signal)
    },
    async sign(request, signal) {
      const { evaluation, draft } = request
      const wrong = new Set<Address>()
      const onWrong = (members: readonly Address[]) => {
        for (const member of members) wrong.add(member)
      }
      const { result, reasons, timings } = await evaluateForTask(request, signal, onWrong)
      const begin = performance.now()
      const evaluationResult = encodeEvaluationResult(result)
      const response = taskResponseOf(draft, evaluation.intent, evaluationResult)
      const digest = () => responseDigest(response)
      const { X, Y } = await mainThread.run(draft.policyClient, () => key.sign(digest()))
      const signature = { X: hex(X), Y: hex(Y) }
      const signing = performance.now() - begin
      return {
        ...{ evaluationResult, signature, reasons },
        timings: { ...timings, signing },
        ...(wrong.size === 0 ? {} : { wrongPartials: [...wrong] }),
      }
    },
    checkSecrets: (request, signal) => checkSecretsUpload(options, request, signal),
  }
}

const noPrivateData = () =>
  privateDataFailed('this operator has no node of its own: set chain in its configuration', false)

const hex = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

/** Decision R6. */
const textOf = (wasmArgs: Hex): string =>
  wasmArgs === '0x' ? '{}' : Buffer.from(wasmArgs.slice(2), 'hex').toString('utf8')

/** Failures that may not recur; faults of the guest do. */
const passing: readonly string[] = ['wall-clock', 'queue', 'aborted', 'late']

function asOracleFailure(error: unknown): unknown {
  if (error instanceof OracleError) {
    return oracleFailed(error.message, passing.includes(error.code), error)
  }
  if (error instanceof ContentError) {
    return oracleFailed(`${wasmFailurePrefix}${error.message}`, error.retryable, error)
  }
  if (error instanceof EnvelopeError) {
    return oracleFailed(`WASM execution failed: secrets cannot be opened: ${error.message}`, false)
  }
  return error
}
