import {
  createExplorerClient,
  type ExplorerTaskDetail,
  type OperatorError,
  type ServiceClient,
  type TaskEvent,
  type TaskResult,
  taskDecision,
  taskOutcome,
} from 'polgate-client/index.ts'
import { keyOf, type ServiceTarget } from '../stack/serviceTarget.ts'
import { type JsonDifference, jsonDifferences } from './jsonDifferences.ts'
import { reasonsOf, taskRecordOf } from './taskRecord.ts'

export type TracedOperator = {
  readonly address: string
  readonly stake?: string | undefined
  /** Outputs of its own oracle runs; undefined where they are not published. */
  readonly outputs?: readonly string[] | undefined
  /** Where they differ from the settled data. */
  readonly differences?: readonly JsonDifference[] | undefined
  readonly reasons?: readonly string[] | undefined
  readonly data: PhaseState
  readonly signature: PhaseState
  readonly error?: string | undefined
}

/** `none`: nothing is known of it. */
type PhaseState = 'ok' | 'failed' | 'none'

/** Everything that is known of a task. */
export type TaskTrace = {
  readonly taskId: string
  readonly status: string
  readonly error?: string | undefined
  readonly decision?: { readonly allow: boolean; readonly value: unknown } | undefined
  readonly policyClient?: string | undefined
  readonly policyAddress?: string | undefined
  readonly intent?: NonNullable<TaskResult['task']>['intent'] | undefined
  /** JSON texts of the data that was evaluated, in the order of the oracles. */
  readonly settled?: readonly string[] | undefined
  readonly params?: string | undefined
  readonly entrypoint?: string | undefined
  readonly reasons?: readonly string[] | undefined
  readonly operators: readonly TracedOperator[]
  readonly votes: {
    readonly signed: number
    readonly known: number
    /** Percent of the stake; undefined where stakes are not known. */
    readonly stake?: number | undefined
    readonly threshold?: number | undefined
  }
  readonly aggregation?:
    | { readonly digest: string; readonly nonSigners: number; readonly referenceBlock: number }
    | undefined
  readonly validUntilBlock?: number | undefined
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
  readonly chain?: ChainSteps | undefined
  /** What the target does not publish. */
  readonly unknown: readonly string[]
}

type ChainSteps = {
  readonly createdBlock: number | null
  readonly createdAt: string | null
  readonly respondedBlock: number | null
  readonly respondedAt: string | null
  readonly spentAt: string | null
  readonly challenge: string | null
}

const withinMs = 20_000

/**
 * Collects what gateway, control listener and explorer know of a task: its state now, if it is in progress.
 *
 * @throws the errors of `watchTask` of the SDK
 */
export async function readTrace(
  target: ServiceTarget,
  client: ServiceClient,
  taskId: `0x${string}`,
): Promise<TaskTrace> {
  const [update, record, row] = await Promise.all([
    latestUpdate(client, taskId),
    taskRecordOf(target, taskId),
    explorerRow(target, taskId),
  ])
  const { status, result, operator_responses: responses } = update.data
  const outcome = result?.status === 'success' ? taskOutcome(result) : undefined
  const errors = new Map(
    (result?.operator_errors ?? []).map((each) => [each.operator_address.toLowerCase(), each]),
  )
  const settled = record?.data ?? outcome?.task_response.policy_task_data.policyData.map(textOf)
  const stakes = new Map(
    (target.operators ?? []).map(({ address, stake }) => [address.toLowerCase(), stake]),
  )
  const addresses = new Set([
    ...stakes.keys(),
    ...responses.map(({ operator_address }) => operator_address.toLowerCase()),
    ...(record?.operators ?? []).map(({ address }) => address.toLowerCase()),
    ...errors.keys(),
  ])
  const operators = [...addresses].map((address): TracedOperator => {
    const own = record?.operators.find((each) => each.address.toLowerCase() === address)
    const phases = responses.filter((each) => each.operator_address.toLowerCase() === address)
    const error = errorOf(errors.get(address), phases, own?.error)
    return {
      address,
      stake: stakes.get(address),
      outputs: own?.outputs,
      differences:
        own?.outputs === undefined || settled === undefined
          ? undefined
          : jsonDifferences(own.outputs, settled),
      reasons: own?.reasons,
      data: stateOf(phases, 'data'),
      signature: stateOf(phases, 'signature'),
      ...(error === undefined ? {} : { error }),
    }
  })
  return {
    taskId,
    status,
    ...(result?.error ? { error: result.error } : {}),
    ...(outcome === undefined ? {} : { decision: taskDecision(outcome) }),
    policyClient: result?.task?.policyClient,
    policyAddress: result?.task_response?.policy_address,
    intent: result?.task?.intent,
    settled,
    params: record?.params,
    entrypoint: record?.entrypoint,
    reasons: reasonsOf(record),
    operators,
    votes: votesOf(operators, result),
    aggregation: aggregationOf(result),
    validUntilBlock: result?.expiration,
    warnings: result?.warnings ?? [],
    chain: row && stepsOf(row),
    unknown: [
      ...(record === undefined
        ? [
            'oracle outputs of the operators, deny reasons and parameters (a local stack keeps them)',
          ]
        : []),
      ...(row === undefined ? ['steps on chain (no explorer, or not indexed yet)'] : []),
    ],
  }
}

type Update = TaskEvent & { readonly type: 'update' }

async function latestUpdate(client: ServiceClient, taskId: `0x${string}`): Promise<Update> {
  const signal = AbortSignal.timeout(withinMs)
  for await (const event of client.watchTask({ taskId, signal }))
    if (event.type === 'update') return event
  throw new Error('the subscription ended without an update')
}

async function explorerRow(
  target: ServiceTarget,
  taskId: `0x${string}`,
): Promise<ExplorerTaskDetail | undefined> {
  const { explorerUrl, brand, explorerNetwork } = target
  if (explorerUrl === undefined) return undefined
  try {
    const explorer = createExplorerClient({
      url: explorerUrl.replace(/\/+$/, ''),
      key: keyOf(target, ['read', 'rpc']),
      brand,
      timeoutMs: withinMs,
      ...(explorerNetwork === undefined ? {} : { network: explorerNetwork }),
    })
    return await explorer.getTask({ taskId })
  } catch {
    // A part that is missing, which the trace says.
    return undefined
  }
}

const textOf = ({ data }: { readonly data: string }): string =>
  Buffer.from(data.slice(2), 'hex').toString()

type Phases = Update['data']['operator_responses']

function stateOf(phases: Phases, phase: 'data' | 'signature'): PhaseState {
  const last = phases.filter((each) => each.phase === phase).at(-1)
  if (last === undefined) return 'none'
  return last.success ? 'ok' : 'failed'
}

const errorOf = (
  error: OperatorError | undefined,
  phases: Phases,
  recorded: string | undefined,
): string | undefined =>
  error?.message ?? recorded ?? phases.findLast((each) => each.error !== null)?.error ?? undefined

function votesOf(
  operators: readonly TracedOperator[],
  result: TaskResult | null,
): TaskTrace['votes'] {
  const stakeOf = (each: TracedOperator) => Number(each.stake ?? 0)
  const total = operators.reduce((sum, each) => sum + stakeOf(each), 0)
  const signers = operators.filter(({ signature }) => signature === 'ok')
  const signed = signers.reduce((sum, each) => sum + stakeOf(each), 0)
  return {
    signed: signers.length,
    known: operators.length,
    stake: total === 0 ? undefined : Math.round((100 * signed) / total),
    threshold: result?.task?.quorumThresholdPercentage,
  }
}

function aggregationOf(result: TaskResult | null): TaskTrace['aggregation'] {
  const aggregated = result?.aggregation_response
  if (!aggregated) return undefined
  return {
    digest: aggregated.task_response_digest,
    nonSigners: aggregated.non_signer_stakes_and_signature.nonSignerPubkeys.length,
    referenceBlock: result?.reference_block ?? 0,
  }
}

const stepsOf = (row: ExplorerTaskDetail): ChainSteps => ({
  createdBlock: row.created_block,
  createdAt: row.task_created_at,
  respondedBlock: row.task_responded_metadata?.responded_block ?? null,
  respondedAt: row.task_responded_at,
  spentAt: row.attestation_spent_at,
  challenge: row.challenge_result,
})
