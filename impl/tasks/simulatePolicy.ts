import type { PolicyDataContext } from '../../chain/reads.ts'
import { parseIntent } from '../intents/intent.ts'
import { parsedIntent } from '../intents/policyInput.ts'
import type { DataSource } from '../operators/operator.ts'
import { RawJson, stringifyExact } from '../protocol/exactJson.ts'
import type {
  MissingSecrets,
  SimulatePolicyParams,
  SimulatePolicyResult,
} from '../protocol/methods/simulatePolicy.ts'
import type { Address } from '../protocol/scalars.ts'
import type { Caller } from './caller.ts'
import { requireOwner } from './ownership.ts'
import type { AskOperator } from './pickOperator.ts'
import { signatureOf, wasmArgsOf } from './prepare.ts'
import { operationalFailure } from './simulateTask.ts'
import type { TaskDeps } from './taskDeps.ts'
import { requireCompatible } from './versions.ts'

/**
 * `svc_simulatePolicy` (section 4.8): an operator runs the whole way on the caller's policy, with
 * the stored secrets of the client. Ownership is asked only where secrets are concerned.
 *
 * @throws ServiceError -32002, -32602, -32619, ServiceUnavailable
 */
export async function simulatePolicy(
  deps: TaskDeps,
  ask: AskOperator,
  params: SimulatePolicyParams,
  caller: Caller,
  signal: AbortSignal,
): Promise<SimulatePolicyResult> {
  const policyClient = params.policy_client.toLowerCase() as Address
  const entrypoint = params.entrypoint ?? 'policy.allow'
  try {
    const intentSignature = signatureOf(params.intent_signature)
    const contracts = await Promise.all(
      params.policy_data.map(({ policy_data_address }) =>
        deps.chain.policyData(policy_data_address),
      ),
    )
    requireCompatible({ policyData: contracts.map(versionOf) }, deps.minimumVersions)
    const guarded = contracts.filter(({ secretsSchemaCid }) => secretsSchemaCid !== '')
    if (guarded.length > 0) requireOwner(caller, policyClient, await deps.chain.owner(policyClient))

    const sources = await sourcesOf(deps, policyClient, contracts, params)
    const missing = guarded.filter(({ policyDataAddress }) =>
      sources.every((source) => source.policyDataAddress !== policyDataAddress || !source.envelope),
    )
    if (missing.length > 0) return missingSecrets(missing)

    const policyParams = new RawJson(stringifyExact(params.policy_params ?? {}))
    const answer = await ask(async (operator) => {
      const { outputs } =
        sources.length === 0
          ? { outputs: [] }
          : await operator.collectData({ policyClient, sources }, signal)
      return await operator.evaluate(
        {
          policy: { source: params.policy },
          entrypoint,
          intent: params.intent,
          intentSignature,
          params: policyParams.text,
          paramsSchemaCid: '',
          data: outputs,
          now: deps.clock(),
        },
        signal,
      )
    })
    return {
      success: true,
      evaluation_result: {
        policy: params.policy,
        parsed_intent: parsedIntent(parseIntent(params.intent)),
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

const sourcesOf = (
  deps: TaskDeps,
  policyClient: Address,
  contracts: readonly PolicyDataContext[],
  params: SimulatePolicyParams,
): Promise<DataSource[]> =>
  Promise.all(
    contracts.map(async ({ policyDataAddress, wasmCid, secretsSchemaCid }, at) => {
      const scope = { policyClient, policyDataAddress }
      const envelope = secretsSchemaCid === '' ? undefined : await deps.secrets.get(scope)
      const wasmArgs = wasmArgsOf(params.policy_data[at]?.wasm_args)
      return { policyDataAddress, wasmCid, wasmArgs, envelope: envelope ?? null }
    }),
  )

function missingSecrets(missing: readonly PolicyDataContext[]): SimulatePolicyResult {
  const error_details: MissingSecrets = {
    missing_secrets: missing.map(({ policyDataAddress }) => ({
      policy_data_address: policyDataAddress,
      has_secrets_schema: true,
    })),
    suggested_actions: [
      'Upload the secrets of each listed PolicyData with storeEncryptedSecrets.',
      'Try an oracle with secrets of your own with simulatePolicyData.',
    ],
  }
  return {
    success: false,
    evaluation_result: null,
    error: `Missing secrets for ${missing.length} PolicyData contract(s)`,
    error_details,
  }
}
