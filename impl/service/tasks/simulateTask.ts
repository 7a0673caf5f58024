import { ChainReadError } from 'polgate-chain/errors.ts'
import { RawJson } from 'polgate-protocol/exactJson.ts'
import type {
  SimulateTaskParams,
  SimulateTaskResult,
} from 'polgate-protocol/methods/simulateTask.ts'
import { policyParamsJson } from 'polgate-protocol/policyParams.ts'
import type { Address, Data } from 'polgate-protocol/scalars.ts'
import { invalidFormat, ServiceError } from 'polgate-protocol/serviceError.ts'
import { ServiceUnavailable } from 'polgate-protocol/serviceUnavailable.ts'
import { parseIntent } from '../intents/intent.ts'
import { intentDigest } from '../intents/intentSignature.ts'
import type { EvaluationRequest, Operator } from '../operators/operator.ts'
import { checkData, checkEvaluation } from './checkAnswer.ts'
import { dataSource } from './dataSource.ts'
import { denialReasons } from './denialReasons.ts'
import type { CallOperator } from './pickOperator.ts'
import { signatureOf, wasmArgsOf } from './prepare.ts'
import type { Registrations } from './registrations.ts'
import type { Simulation } from './simulations.ts'
import { type SuppliedStage, suppliedStage } from './suppliedStage.ts'
import type { TaskDeps } from './taskDeps.ts'
import { requireCompatible } from './versions.ts'

/**
 * `svc_simulateTask` (section 4.4). With `policy_task_data` only the Rego stage runs, on that data;
 * a `policy_client` in addition must use that policy, which must list that data. The short form,
 * `policy_client` alone, runs the data stage first (decision T15). Called on an operator that is
 * registered for the default quorum; if none is available, the response is ServiceUnavailable.
 *
 * @throws ServiceError -32602, -32618, -32619, ServiceUnavailable
 */
export async function simulateTask(
  simulation: Simulation,
  registrations: Registrations,
  params: SimulateTaskParams,
): Promise<SimulateTaskResult> {
  const { deps } = simulation
  const data = params.policy_task_data
  const client = params.policy_client
  if (data === undefined && client === undefined) {
    throw invalidFormat('policy_task_data or policy_client is required')
  }
  try {
    if (deps.operators.length === 0) throw new ServiceUnavailable()
    const intentSignature = signatureOf(params.intent_signature)
    const registered = registrations.current(deps.chain)
    const ask: CallOperator = async (call) => {
      const ids = await registered
      const among = ({ id }: Operator) => ids === undefined || ids.has(id.toLowerCase())
      return await simulation.callAnyOf(among)(call)
    }
    const { stage, domain, attestations, warnings } =
      data === undefined
        ? await storedStage(deps, ask, client!, wasmArgsOf(params.wasm_args))
        : await suppliedStage(deps, data, client)
    const { intent } = params
    const request: EvaluationRequest = {
      ...stage,
      intent,
      intentSignature,
      intentDigest: domain === undefined ? null : intentDigest(parseIntent(intent), domain),
      now: deps.clock(),
    }
    const answer = await ask(async (operator, signal) =>
      checkEvaluation(await operator.evaluate(request, signal)),
    )
    return {
      success: true,
      result: { allow: new RawJson(answer.result), reason: denialReasons(answer).join('; ') },
      error: null,
      details: {
        entrypoint: request.entrypoint,
        params: new RawJson(request.params),
        ...(attestations && { policy_data: attestations, warnings }),
      },
    }
  } catch (error) {
    if (error instanceof ServiceUnavailable) throw error
    return operationalFailure(error)
  }
}

/**
 * Converts operational failures to results (section 7.3), including the lack of an operator, whose
 * special form in section 4.4 belongs to one method. Errors with a code are thrown.
 */
export function operationalFailure(error: unknown): {
  success: false
  result: null
  error: string
} {
  if (error instanceof ChainReadError) return { success: false, result: null, error: error.message }
  if (error instanceof ServiceError && operational(error)) {
    return { success: false, result: null, error: error.message }
  }
  throw error
}

const operational = (error: ServiceError) =>
  error instanceof ServiceUnavailable || [-32615, -32616, -32620].includes(error.code)

async function storedStage(
  deps: TaskDeps,
  ask: CallOperator,
  policyClient: Address,
  wasmArgs: Data,
): Promise<Partial<SuppliedStage> & Pick<SuppliedStage, 'stage' | 'domain'>> {
  const client = await deps.chain.clientContext(policyClient)
  const versions = client.policyData.map(({ policyDataAddress, version }) => ({
    address: policyDataAddress,
    version,
  }))
  requireCompatible({ policy: client.version, policyData: versions }, deps.minimumVersions)
  const sources = await Promise.all(
    client.policyData.map((source) => dataSource(deps, policyClient, source, wasmArgs)),
  )
  const { outputs } = await ask(async (operator, signal) =>
    checkData(await operator.collectData({ policyClient, sources }, signal), sources.length),
  )
  const stage = {
    policy: { cid: client.policyCid },
    entrypoint: client.entrypoint,
    params: policyParamsJson(client.policyConfig.policyParams),
    paramsSchemaCid: client.schemaCid,
    data: outputs,
  }
  return { stage, domain: client.signingDomain }
}
