import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { ClientDetail } from 'polgate-protocol/control/policies.ts'
import type {
  Decision,
  RedecideAnswer,
  RedecideBody,
  RedecidedTask,
} from 'polgate-protocol/control/redecide.ts'
import type { Address, Data } from 'polgate-protocol/scalars.ts'
import { parseIntent } from 'polgate-service/intents/intent.ts'
import { policyInputJson } from 'polgate-service/intents/policyInput.ts'
import { encodeEvaluationResult } from 'polgate-service/operators/evaluationResult.ts'
import type { EvaluationRequest } from 'polgate-service/operators/operator.ts'
import type { PolicyEvaluator } from 'polgate-service/operators/policyEvaluator.ts'
import { usesNothing } from 'polgate-service/operators/privateUses.ts'
import { createRegoEvaluator } from 'polgate-service/operators/regoEvaluator.ts'
import type { DecidedTask, TaskQueries } from 'polgate-service/store/tasks.ts'
import { reasonsOf, type TaskRecords } from '../taskRecords.ts'

/** Decides past tasks again, with other parameters or another policy, over the data settled then. */
export type Redecider = {
  /**
   * The latest 100 tasks of a client.
   *
   * @throws ServiceError never for a policy that fails: that is an error of its task
   */
  redecide(client: ClientDetail, change: RedecideBody, signal: AbortSignal): Promise<RedecideAnswer>
  /** Why the service would refuse parameters, JSON text, under a JSON Schema; null if it would not. */
  paramsProblem(params: string, schema: string | null, signal: AbortSignal): Promise<string | null>
  close(): Promise<void>
}

export type RedeciderParts = {
  readonly brand: Brand
  readonly tasks: Pick<TaskQueries, 'latestOfClient'>
  readonly records: Pick<TaskRecords, 'of' | 'evaluationOf'>
  /** Default: that of an operator, started with the first use. */
  readonly evaluator?: (() => PolicyEvaluator) | undefined
  /** Time for all tasks of a call, milliseconds; default 20,000. */
  readonly limitMs?: number | undefined
}

const mostTasks = 100
/** As many as the evaluator has threads: what is behind the time limit was not begun. */
const atOnce = 2

export function createRedecider(parts: RedeciderParts): Redecider {
  const { brand, tasks, records, limitMs = 20_000 } = parts
  let started: PolicyEvaluator | undefined
  const evaluator = () => {
    started ??= parts.evaluator?.() ?? createRegoEvaluator({ brand })
    return started
  }

  async function paramsProblem(params: string, paramsSchema: string | null, signal: AbortSignal) {
    const always = { source: 'package check\n\nallow := true\n', entrypoint: 'check.allow' }
    try {
      await evaluator().evaluate(
        { ...always, input: '{}', params, paramsSchema, data: [], now: 0 },
        signal,
      )
      return null
    } catch (error) {
      return (error as Error).message.replace(/^Rego evaluation failed: /, '')
    }
  }

  /** What of it was opened for a task is not kept. Of a check that the time limit ended, nothing is known. */
  async function readsPrivateData(source: string, signal: AbortSignal): Promise<boolean> {
    try {
      return !usesNothing(await evaluator().privateUses({ source }, signal))
    } catch (error) {
      if (signal.aborted) return false
      throw error
    }
  }

  return {
    paramsProblem,
    async redecide(client, change, signal) {
      const rules = rulesOf(client, change)
      const latest = await tasks.latestOfClient(client.address, mostTasks)
      const own = linkedSignal(signal)
      own.abortAfter(limitMs)
      const answers: RedecidedTask[] = []
      let problem: string | null = null
      let isPrivate = false
      let next = 0
      async function work(): Promise<void> {
        for (let at = next++; at < latest.length; at = next++)
          answers[at] = await decided(latest[at]!, { rules, isPrivate }, own.signal)
      }
      try {
        if (!('problem' in rules)) isPrivate = await readsPrivateData(rules.source, own.signal)
        if (!('problem' in rules))
          problem = await paramsProblem(rules.params, rules.paramsSchema, own.signal)
        // Of a check that the time limit ended, nothing is known.
        if (own.signal.aborted) problem = null
        await Promise.all(Array.from({ length: atOnce }, work))
      } finally {
        own.release()
      }
      return { tasks: answers, counts: countsOf(answers), paramsProblem: problem }
    },
    async close() {
      await started?.close()
    },
  }

  async function decided(
    task: DecidedTask,
    { rules, isPrivate }: { readonly rules: Rules; readonly isPrivate: boolean },
    signal: AbortSignal,
  ): Promise<RedecidedTask> {
    const { id: taskId } = task
    const before = decisionBefore(task, records.of(taskId))
    const shown = { taskId, createdAt: task.createdAt.toISOString(), before }
    const evaluation = records.evaluationOf(taskId)?.evaluation
    const unknown = (why: string) => ({ ...shown, after: null, unknown: why, changed: false })
    if (evaluation === undefined) return unknown('its settled data are no longer known')
    if (isPrivate) return unknown('the policy reads private data, which is not kept')
    if (signal.aborted) return unknown(`the time limit of ${limitMs / 1000} s was reached`)
    const after = await decisionAfter(evaluation, rules, signal)
    if (after === undefined) return unknown(`the time limit of ${limitMs / 1000} s was reached`)
    const changed = before !== null && !isSame(before, after)
    return { ...shown, after, unknown: null, changed }
  }

  /** Undefined when the signal aborted. */
  async function decisionAfter(
    evaluation: EvaluationRequest,
    rules: Rules,
    signal: AbortSignal,
  ): Promise<Decision | undefined> {
    if ('problem' in rules) return { outcome: 'error', reasons: [], error: rules.problem }
    const { data, now } = evaluation
    try {
      const input = inputOf(evaluation)
      const { result, reasons } = await evaluator().evaluate({ ...rules, input, data, now }, signal)
      return {
        outcome: outcomeOf(encodeEvaluationResult(result)),
        reasons: [...reasons],
        error: null,
      }
    } catch (error) {
      if (signal.aborted) return undefined
      return { outcome: 'error', reasons: [], error: (error as Error).message }
    }
  }
}

type Rules =
  | {
      readonly owner: Address
      readonly source: string
      readonly entrypoint: string
      readonly params: string
      readonly paramsSchema: string | null
    }
  | { readonly problem: string }

function rulesOf(client: ClientDetail, change: RedecideBody): Rules {
  const { policy } = client
  const source = change.policySource ?? policy?.source.text ?? undefined
  const entrypoint = change.entrypoint ?? policy?.entrypoint
  if (source === undefined || entrypoint === undefined)
    return { problem: client.problem ?? policy?.source.problem ?? 'the client has no policy' }
  const schema = policy?.paramsSchema ?? null
  // A policy whose schema is missing fails at the service too.
  if (schema !== null && schema.text === null)
    return { problem: `the schema of the params: ${schema.problem}` }
  const params = change.params ?? client.params
  return { owner: client.address, source, entrypoint, params, paramsSchema: schema?.text ?? null }
}

/** The `input` of the policy, as an operator makes it. */
export const inputOf = (evaluation: EvaluationRequest): string =>
  policyInputJson(parseIntent(evaluation.intent), {
    signature: evaluation.intentSignature ?? undefined,
    digest: evaluation.intentDigest ?? undefined,
  })

const allows: readonly Data[] = ['true', '"true"'].map(encodeEvaluationResult)

const outcomeOf = (result: Data): Decision['outcome'] =>
  allows.includes(result) ? 'allow' : 'deny'

/** What was signed, with the reasons of an operator that signed it; null while the task runs. */
function decisionBefore(
  { status, result, error }: DecidedTask,
  record: ReturnType<TaskRecords['of']>,
): Decision | null {
  if (status === 'pending' || status === 'processing') return null
  if (result === null) return { outcome: 'error', reasons: [], error: error ?? 'the task failed' }
  return { outcome: outcomeOf(result), reasons: [...reasonsOf(record, result)], error: null }
}

const isSame = (before: Decision, after: Decision): boolean =>
  before.outcome === after.outcome &&
  // Messages of errors differ with the operator that reports them.
  (after.outcome === 'error' || JSON.stringify(before.reasons) === JSON.stringify(after.reasons))

function countsOf(tasks: readonly RedecidedTask[]): RedecideAnswer['counts'] {
  const count = (is: (task: RedecidedTask) => boolean) => tasks.filter(is).length
  return {
    tasks: tasks.length,
    changed: count(({ changed }) => changed),
    newlyAllowed: count(
      ({ before, after, changed }) =>
        changed && before?.outcome !== 'allow' && after?.outcome === 'allow',
    ),
    newlyDenied: count(
      ({ before, after, changed }) =>
        changed && before?.outcome === 'allow' && after?.outcome !== 'allow',
    ),
    errors: count(({ after }) => after?.outcome === 'error'),
    unknown: count(({ unknown }) => unknown !== null),
  }
}
