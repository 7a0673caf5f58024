import { ChainReadError } from '../../chain/errors.ts'
import type { IntentDomain } from '../../chain/intentDomain.ts'
import { parseIntent } from '../intents/intent.ts'
import { intentDigest } from '../intents/intentSignature.ts'
import type { EvaluationRequest, Operator } from '../operators/operator.ts'
import { RawJson } from '../protocol/exactJson.ts'
import type { SimulateTaskParams, SimulateTaskResult } from '../protocol/methods/simulateTask.ts'
import type { PolicyTaskData } from '../protocol/policyTaskData.ts'
import type { Address, Data } from '../protocol/scalars.ts'
import { invalidFormat, ServiceError } from '../protocol/serviceError.ts'
import { ServiceUnavailable } from '../protocol/serviceUnavailable.ts'
import { checkData, checkEvaluation } from './checkAnswer.ts'
import { dataSource } from './dataSource.ts'
import type { AskOperator } from './pickOperator.ts'
import { hexToText, signatureOf, wasmArgsOf } from './prepare.ts'
import type { Registrations } from './registrations.ts'
import type { Simulation } from './simulations.ts'
import type { TaskDeps } from './taskDeps.ts'
import { requireCompatible } from './versions.ts'

/**
 * `svc_simulateTask` (section 4.4). With `policy_task_data` only the Rego stage runs, on that data;
 * the short form, `policy_client` alone, runs the data stage first (decision T15). An operator that
 * is registered for the default quorum is asked; where none can be, the answer has a form of its own.
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
    throw invalidFormat('policy_task_data is required (or policy_client, for the stored policy)')
  }
  try {
    if (deps.operators.length === 0) throw new ServiceUnavailable()
    const intentSignature = signatureOf(params.intent_signature)
    const registered = registrations.current(deps.chain)
    const ask: AskOperator = async (call) => {
      const ids = await registered
      const among = ({ id }: Operator) => ids === undefined || ids.has(id.toLowerCase())
      return await simulation.askAmong(among)(call)
    }
    const { domain, ...stage } =
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
      result: { allow: new RawJson(answer.result), reason: answer.reasons.join('; ') },
      error: null,
      details: { entrypoint: request.entrypoint, params: new RawJson(request.params) },
    }
  } catch (error) {
    if (error instanceof ServiceUnavailable) throw error
    return operationalFailure(error)
  }
}

/**
 * Operational failures are results (section 7.3), the want of an operator too: the form that it has
 * in section 4.4 is that of one method. What has a code of its own is thrown.
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

type Stage = Omit<EvaluationRequest, 'intent' | 'intentSignature' | 'intentDigest' | 'now'> & {
  /** What the intent is signed under; undefined for a client without one, and without a client. */
  readonly domain: IntentDomain | undefined
}

/** Data and, where its bytes are there, the policy are the caller's; the rest is the chain's. */
async function suppliedStage(
  deps: TaskDeps,
  supplied: PolicyTaskData,
  client: Address | undefined,
): Promise<Stage> {
  const source = hexToText(supplied.policy)
  if (source === undefined) throw invalidFormat('policy_task_data.policy is not UTF-8')
  const [configured, domain] = await Promise.all([
    deps.chain.configuredPolicy(supplied.policyAddress, supplied.policyId).catch((error) => {
      if (source !== '' && error instanceof ChainReadError) return undefined
      throw error
    }),
    client === undefined ? undefined : deps.chain.signingDomain(client),
  ])
  if (configured !== undefined) {
    requireCompatible({ policy: configured.version, policyData: [] }, deps.minimumVersions)
  }
  const params = hexToText(configured?.policyParams ?? '0x') ?? ''
  return {
    policy: source === '' ? { cid: configured!.policyCid } : { source },
    entrypoint: configured?.entrypoint ?? 'policy.allow',
    params: params === '' ? '{}' : params,
    // As a task has it (decision R8); another source may want other parameters.
    paramsSchemaCid: source === '' ? configured!.schemaCid : '',
    data: supplied.policyData.map(({ data }, at) => outputOf(data, at)),
    domain,
  }
}

function outputOf(data: Data, at: number): string {
  const text = data === '0x' ? '{}' : hexToText(data)
  const member = `policy_task_data.policyData[${at}].data`
  if (text === undefined) throw invalidFormat(`${member} is not UTF-8`)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text
  } catch {
    // Told below: the parser's message would repeat the data.
  }
  throw invalidFormat(`${member} is not a JSON object`)
}

async function storedStage(
  deps: TaskDeps,
  ask: AskOperator,
  policyClient: Address,
  wasmArgs: Data,
): Promise<Stage> {
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
  return {
    policy: { cid: client.policyCid },
    entrypoint: client.entrypoint,
    params: client.policyConfig.policyParams,
    paramsSchemaCid: client.schemaCid,
    data: outputs,
    domain: client.signingDomain,
  }
}
