import type { PolicyDataContext } from 'polgate-chain/reads.ts'
import { RawJson, stringifyExact } from 'polgate-protocol/exactJson.ts'
import type {
  MissingSecrets,
  SimulatePolicyParams,
  SimulatePolicyResult,
} from 'polgate-protocol/methods/simulatePolicy.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { parseIntent } from '../intents/intent.ts'
import { intentDigest } from '../intents/intentSignature.ts'
import { parsedIntent } from '../intents/policyInput.ts'
import { usedKeyOf } from '../store/usedKey.ts'
import type { Caller } from './caller.ts'
import { checkData, checkEvaluation } from './checkAnswer.ts'
import { dataSource } from './dataSource.ts'
import { requireOwner } from './ownership.ts'
import type { CallOperator } from './pickOperator.ts'
import { signatureOf, wasmArgsOf } from './prepare.ts'
import { operationalFailure } from './simulateTask.ts'
import type { TaskChain } from './taskChain.ts'
import type { TaskDeps } from './taskDeps.ts'
import { requireCompatible } from './versions.ts'

/** What simulating a policy needs: the command line has a chain of files. */
export type PolicySimulation = {
  readonly deps: Pick<TaskDeps, 'brand' | 'clock' | 'minimumVersions'> & {
    readonly chain: Pick<TaskChain, 'policyData' | 'owner' | 'signingDomain'>
    readonly secrets: Pick<TaskDeps['secrets'], 'get'>
  }
  readonly ask: CallOperator
}

/**
 * `svc_simulatePolicy` (section 4.8): an operator runs both stages on the caller's policy, with the
 * stored secrets of the client. Ownership is required only if secrets are used.
 *
 * @throws ServiceError -32002, -32602, -32619
 */
export async function simulatePolicy(
  { deps, ask }: PolicySimulation,
  params: SimulatePolicyParams,
  caller: Caller,
): Promise<SimulatePolicyResult> {
  const policyClient = params.policy_client.toLowerCase() as Address
  const entrypoint = params.entrypoint ?? 'policy.allow'
  try {
    const intentSignature = signatureOf(params.intent_signature)
    const wasmArgs = params.policy_data.map(({ wasm_args }) => wasmArgsOf(wasm_args))
    const [domain, ...contracts] = await Promise.all([
      deps.chain.signingDomain(policyClient),
      ...params.policy_data.map(({ policy_data_address }) =>
        deps.chain.policyData(policy_data_address),
      ),
    ])
    const intent = parseIntent(params.intent)
    const digest = domain === undefined ? undefined : intentDigest(intent, domain)
    requireCompatible({ policyData: contracts.map(versionOf) }, deps.minimumVersions)
    const guarded = contracts.filter(({ secretsSchemaCid }) => secretsSchemaCid !== '')
    if (guarded.length > 0) requireOwner(caller, policyClient, await deps.chain.owner(policyClient))

    const key = usedKeyOf(caller)
    const sources = await Promise.all(
      contracts.map((contract, at) => dataSource(deps, policyClient, contract, wasmArgs[at]!, key)),
    )
    // Once more with the secrets at hand: they may be those of a new owner.
    if (guarded.length > 0) requireOwner(caller, policyClient, await deps.chain.owner(policyClient))
    const missing = guarded.filter(
      (contract) => sources[contracts.indexOf(contract)]!.envelope === null,
    )
    if (missing.length > 0) return missingSecrets(deps.brand, missing)

    const policyParams = new RawJson(stringifyExact(params.policy_params ?? {}))
    const answer = await ask(async (operator, signal) => {
      const { outputs } =
        sources.length === 0
          ? { outputs: [] }
          : checkData(await operator.collectData({ policyClient, sources }, signal), sources.length)
      const evaluation = await operator.evaluate(
        {
          policy: { source: params.policy },
          entrypoint,
          intent: params.intent,
          intentSignature,
          intentDigest: digest ?? null,
          params: policyParams.text,
          paramsSchemaCid: '',
          data: outputs,
          now: deps.clock(),
        },
        signal,
      )
      return checkEvaluation(evaluation)
    })
    return {
      success: true,
      evaluation_result: {
        policy: params.policy,
        parsed_intent: parsedIntent(intent, digest),
        policy_params_and_data: { params: policyParams, wasm: new RawJson(answer.wasm) },
        entrypoint,
        result: new RawJson(answer.result),
        expire_after: 0,
      },
      error: null,
    }
  } catch (error) {
    return { success: false, evaluation_result: null, error: operationalFailure(error).error }
  }
}

const versionOf = ({ policyDataAddress: address, version }: PolicyDataContext) => ({
  address,
  version,
})

function missingSecrets(
  { methodPrefix }: PolicySimulation['deps']['brand'],
  missing: readonly PolicyDataContext[],
): SimulatePolicyResult {
  // A PolicyData may occur twice.
  const addresses = [...new Set(missing.map(({ policyDataAddress }) => policyDataAddress))]
  const error_details: MissingSecrets = {
    missing_secrets: addresses.map((policy_data_address) => ({
      policy_data_address,
      has_secrets_schema: true,
    })),
    suggested_actions: [
      `Upload the secrets of each listed PolicyData with ${methodPrefix}storeEncryptedSecrets.`,
      `Test an oracle with your own secrets with ${methodPrefix}simulatePolicyData.`,
    ],
  }
  return {
    success: false,
    evaluation_result: null,
    error: `Missing secrets for ${addresses.length} PolicyData contract(s)`,
    error_details,
  }
}
