import type {
  ShownEvaluation,
  ShownExplanation,
  TaskChainEvent,
  TaskTraceAnswer,
} from 'polgate-protocol/control/taskTrace.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { PolicyEvaluation } from 'polgate-service/operators/policyEvaluator.ts'
import type { TaskRecord } from '../taskRecords.ts'
import type { ReadTaskEvents } from './taskChainEvents.ts'
import { type RecordedEvaluation, type RecordedTrace, textOf } from './traces.ts'

export type TraceSources = {
  readonly traceOf: (taskId: string) => RecordedTrace | undefined
  readonly recordOf: (taskId: string) => TaskRecord | undefined
  readonly stateOf: (taskId: Bytes32) => Promise<TaskTraceAnswer['state']>
  readonly events: ReadTaskEvents
  readonly explain: (evaluation: PolicyEvaluation) => ShownExplanation
  /** Operators run in processes of their own. */
  readonly operatorProcesses: boolean
}

/** What is known of a task's path; undefined for a task that is not among the latest. */
export async function traceAnswer(
  sources: TraceSources,
  taskId: string,
): Promise<TaskTraceAnswer | undefined> {
  const trace = sources.traceOf(taskId)
  if (trace?.task === undefined) return undefined
  const { task, spans, ended, startedAt } = trace
  const record = sources.recordOf(taskId)
  const notes = notesOf(sources, trace)
  let chain: readonly TaskChainEvent[] = []
  try {
    chain = await sources.events(task.id as Bytes32, task.referenceBlock ?? 0)
  } catch (error) {
    notes.push(`The node did not answer, so the events on chain are missing: ${textOf(error)}`)
  }
  return {
    taskId: task.id,
    method: task.method,
    request: task.request,
    startedAt: new Date(startedAt).toISOString(),
    ended,
    state: await sources.stateOf(task.id as Bytes32),
    spans,
    operators: (record?.operators ?? []).map(({ address, outputs, reasons, error }) => ({
      address,
      ...(outputs === undefined ? {} : { outputs }),
      ...(reasons === undefined ? {} : { reasons }),
      ...(error === undefined ? {} : { error }),
    })),
    stakes: task.stakes ?? null,
    settled: record?.data ?? null,
    evaluations: trace.evaluations.map((each) => shownEvaluation(each, sources.explain)),
    chain,
    notes,
  }
}

function notesOf({ operatorProcesses }: TraceSources, trace: RecordedTrace): string[] {
  const notes: string[] = []
  if (operatorProcesses)
    notes.push(
      'Operators run in processes of their own: only their calls are known here, not their oracle runs, HTTP requests and evaluations.',
    )
  if (trace.ended && !trace.spans.some(({ kind }) => kind === 'admission'))
    notes.push('The task was admitted by an earlier process: its first part is not known.')
  if (trace.dropped > 0)
    notes.push(`${trace.dropped} parts or bodies are not kept: the trace of this task is full.`)
  return notes
}

const shown = new WeakMap<RecordedEvaluation, ShownEvaluation>()

function shownEvaluation(
  recorded: RecordedEvaluation,
  explain: TraceSources['explain'],
): ShownEvaluation {
  const found = shown.get(recorded)
  if (found?.operators.length === recorded.operators.length) return found
  const { evaluation, isPrivate, operators, outcome, error } = recorded
  const { source, entrypoint, input, params, now, data } = evaluation
  const facts = {
    ...{ operators: [...operators], source, entrypoint, input, params },
    wasm: outcome?.wasm ?? `[${data.join(', ')}]`,
    time: new Date(now).toISOString(),
    result: outcome?.result ?? null,
    reasons: outcome?.reasons ?? [],
    error: error ?? null,
  }
  const isEnded = outcome !== undefined || error !== undefined
  const made = isEnded
    ? { ...facts, ...(isPrivate ? notKept : explained(evaluation, explain)) }
    : { ...facts, explanation: null }
  if (isEnded) shown.set(recorded, made)
  return made
}

const notKept = {
  explanation: null,
  note: 'the policy was evaluated with private data, which is not kept: its rules cannot be explained',
}

function explained(
  evaluation: PolicyEvaluation,
  explain: TraceSources['explain'],
): Pick<ShownEvaluation, 'explanation' | 'note'> {
  try {
    return { explanation: explain(evaluation) }
  } catch (error) {
    return { explanation: null, note: textOf(error) }
  }
}
