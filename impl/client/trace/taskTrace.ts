import type { ServiceClient } from '../client/createServiceClient.ts'
import { ResponseMalformedError } from '../errors/transportErrors.ts'
import type { ExplorerTaskDetail } from '../generated/explorerTypes.ts'
import type { OperatorError, TaskResult } from '../generated/rpcTypes.ts'
import type { TaskEvent } from '../socket/watchTask.ts'
import { taskDecision } from '../tasks/taskDecision.ts'
import { taskOutcome } from '../tasks/taskOutcome.ts'
import { type JsonDifference, jsonDifferences } from './jsonDifferences.ts'

/** What one operator of a local stack did for a task, where its control API tells. */
export type KnownOperator = {
  readonly address: string
  readonly outputs?: readonly string[] | undefined
  readonly reasons?: readonly string[] | undefined
  readonly error?: string | undefined
}

/** The record of a task, from the control API of a local stack. */
export type KnownRecord = {
  readonly operators: readonly KnownOperator[]
  /** JSON texts of the data that was evaluated; undefined or null: not known. */
  readonly data?: readonly string[] | null | undefined
  readonly params?: string | undefined
  readonly entrypoint?: string | undefined
}

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

export type TaskSources = {
  readonly taskId: string
  /** Of the latest update of the gateway. */
  readonly state: TaskState
  /** Of the control API; undefined where there is none, or it does not know the task. */
  readonly record: KnownRecord | undefined
  /** Of the explorer; undefined where there is none, or it has not indexed the task. */
  readonly row: ExplorerTaskDetail | undefined
  /** With their stake; undefined where they are not known. */
  readonly operators?:
    | readonly { readonly address: string; readonly stake?: string | undefined }[]
    | undefined
}

/** Everything that gateway, control API and explorer tell of a task, in one place. */
export function taskTraceOf({ taskId, state, record, row, operators }: TaskSources): TaskTrace {
  const { status, result, operator_responses: responses } = state
  const outcome = result?.status === 'success' ? taskOutcome(result) : undefined
  const errors = new Map(
    (result?.operator_errors ?? []).map((each) => [each.operator_address.toLowerCase(), each]),
  )
  const settled = record?.data ?? outcome?.task_response.policy_task_data.policyData.map(textOf)
  const stakes = new Map(
    (operators ?? []).map(({ address, stake }) => [address.toLowerCase(), stake]),
  )
  const addresses = new Set([
    ...stakes.keys(),
    ...responses.map(({ operator_address }) => operator_address.toLowerCase()),
    ...(record?.operators ?? []).map(({ address }) => address.toLowerCase()),
    ...errors.keys(),
  ])
  const traced = [...addresses].map((address): TracedOperator => {
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
    reasons: record && reasonsOf(record),
    operators: traced,
    votes: votesOf(traced, result),
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

/** The `deny` strings of all operators, each once. */
export const reasonsOf = ({ operators }: Pick<KnownRecord, 'operators'>): readonly string[] =>
  [...new Set(operators.flatMap(({ reasons = [] }) => reasons))].sort()

/** The state of a task, of an update or from elsewhere. */
export type TaskState = Pick<TaskUpdateEvent['data'], 'status' | 'operator_responses' | 'result'>

export type TaskUpdateEvent = TaskEvent & { readonly type: 'update' }

/** The state of a task now, also of one that has ended. @throws the errors of `watchTask` */
export async function latestUpdate(
  client: Pick<ServiceClient, 'watchTask'>,
  taskId: `0x${string}`,
  signal: AbortSignal,
): Promise<TaskUpdateEvent> {
  for await (const event of client.watchTask({ taskId }, { signal }))
    if (event.type === 'update') return event
  throw new ResponseMalformedError('the subscription ended without an update')
}

/** The text that hex bytes are; only of settled data, which is UTF-8. */
function textOf({ data }: { readonly data: string }): string {
  const pairs = data.slice(2).match(/../g) ?? []
  return new TextDecoder().decode(Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)))
}

type Phases = TaskUpdateEvent['data']['operator_responses']

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
