import { taskDecision } from 'polgate-client'
import type { TaskRecord } from '../stack/controlWire.ts'
import { recordOfTask } from '../stack/liveStacks.ts'

/** What became of a task or a simulation, with all that is known of it. */
export type TaskVerdict = {
  /** `undecided`: it failed, or it is no task at all. Nothing is allowed or denied then. */
  readonly decision: 'allowed' | 'denied' | 'undecided'
  readonly taskId?: string | undefined
  /** The policy's value; undefined if it cannot be read. */
  readonly value?: unknown
  /** Why it is denied: the `deny` strings of the policy. */
  readonly reasons: readonly string[]
  /** Whether `reasons` are all of them: neither a signed denial nor `simulatePolicy` contains them. */
  readonly reasonsKnown: boolean
  /** Why operators did not sign. */
  readonly operatorErrors: readonly string[]
  /** Why it is undecided. */
  readonly error?: string | undefined
  readonly record?: TaskRecord | undefined
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads the result of `createTask` or of a simulation, as the client or the gateway returns it, an
 * error of the client, or a promise of one of them.
 */
export async function taskVerdict(received: unknown): Promise<TaskVerdict> {
  let value: unknown
  try {
    value = await received
  } catch (error) {
    return await failed(error)
  }
  if (value instanceof Error) return await failed(value)
  if (!isObject(value)) return nothing(value)
  if (typeof value.status === 'string' && 'timestamp' in value) return await ofTask(value)
  return ofSimulation(value)
}

/** Without a task: an error of the client carries the result of a task that failed. */
async function failed(error: unknown): Promise<TaskVerdict> {
  const { message, result, taskId } = error as {
    message?: string
    result?: unknown
    taskId?: string
  }
  const known = isObject(result) ? await ofTask(result) : undefined
  return {
    reasons: [],
    reasonsKnown: false,
    operatorErrors: [],
    taskId,
    ...known,
    decision: 'undecided',
    error: message ?? String(error),
  }
}

async function ofTask(result: Members): Promise<TaskVerdict> {
  const taskId = typeof result.task_id === 'string' ? result.task_id : undefined
  const record = taskId === undefined ? undefined : await recordOfTask(taskId)
  const common = {
    taskId,
    record,
    operatorErrors: [...errorsOf(result), ...unsigned(record)],
  }
  const response = result.task_response
  if (result.status !== 'success' || !isObject(response)) {
    const error =
      typeof result.error === 'string' ? result.error : `status ${String(result.status)}`
    return { ...common, decision: 'undecided', reasons: [], reasonsKnown: false, error }
  }
  const { allow, value } = taskDecision(result as Parameters<typeof taskDecision>[0])
  const reasons = record?.operators.find((each) => each.reasons !== undefined)?.reasons
  return {
    ...common,
    decision: allow ? 'allowed' : 'denied',
    value,
    reasons: reasons ?? [],
    reasonsKnown: reasons !== undefined,
  }
}

const errorsOf = ({ operator_errors: errors }: Members): string[] =>
  (Array.isArray(errors) ? errors : []).map(
    (each: Members) => `${String(each.operator_address)}: ${String(each.message)}`,
  )

const unsigned = (record: TaskRecord | undefined): string[] =>
  (record?.operators ?? []).flatMap(({ address, error }) =>
    error === undefined ? [] : [`${address}: ${error}`],
  )

function ofSimulation(value: Members): TaskVerdict {
  const none = { operatorErrors: [], reasons: [], reasonsKnown: false }
  if (value.success === false)
    return { ...none, decision: 'undecided', error: String(value.error ?? 'the simulation failed') }
  // simulateTask, the whole answer or its result.
  const inner = isObject(value.result) ? value.result : value
  if ('allow' in inner) {
    const reason = typeof inner.reason === 'string' ? inner.reason : ''
    const reasons = reason === '' ? [] : [...new Set([reason, ...reason.split('; ')])]
    return {
      ...none,
      decision: decisionOf(inner.allow),
      value: inner.allow,
      reasons,
      reasonsKnown: true,
    }
  }
  // simulatePolicy, the same.
  const evaluation = isObject(value.evaluation_result) ? value.evaluation_result : value
  if ('result' in evaluation && 'entrypoint' in evaluation)
    return { ...none, decision: decisionOf(evaluation.result), value: evaluation.result }
  return nothing(value)
}

const decisionOf = (value: unknown) =>
  value === true || value === 'true' ? ('allowed' as const) : ('denied' as const)

const nothing = (value: unknown): TaskVerdict => ({
  decision: 'undecided',
  reasons: [],
  reasonsKnown: false,
  operatorErrors: [],
  error: `this is no task and no simulation: ${short(value)}`,
})

function short(value: unknown): string {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each))
  return (text ?? String(value)).slice(0, 200)
}
