import { uploadRefused } from 'polgate-service/envelopes/secretsSchema.ts'
import { everyTask } from '../mutants/explorerFaults.ts'
import { changedUpdate } from '../mutants/frames.ts'
import { secretsCheck, uploadStage } from '../mutants/parts.ts'
import { changedResult, type Json } from '../mutants/wrappedListeners.ts'
import { notification } from './notifications.ts'
import { composedParts, type Variant } from './variant.ts'

/** Other contents of results, updates and notifications of tasks (sections 2.5, 2.7, 2.8, 3 and 4.4). */

const unmarked = () => undefined

/** Changes the results of tasks: those of createTask, and those at the end of an updated task. */
function taskResult(change: (result: Json) => Json): NonNullable<Variant['parts']> {
  const changed = (result: Json) => (result?.status === undefined ? result : change(result))
  return () =>
    composedParts([
      changedResult('createTask', changed)(unmarked),
      changedUpdate((update) =>
        update?.data?.result
          ? { ...update, data: { ...update.data, result: changed(update.data.result) } }
          : update,
      )(unmarked),
    ])
}

const success = (change: (result: Json) => Json) =>
  taskResult((result) => (result.status === 'success' ? change(result) : result))

function without(value: Json, name: string): Json {
  const { [name]: _, ...rest } = value ?? {}
  return rest
}

/** Changes the errors of operators, where there are some. */
const operatorErrors = (change: (errors: readonly Json[]) => readonly Json[]) =>
  taskResult((result) =>
    Array.isArray(result.operator_errors)
      ? { ...result, operator_errors: change(result.operator_errors) }
      : result,
  )

/** One entry for all operators with the same error. */
function byCause(errors: readonly Json[]): readonly Json[] {
  const causes = new Map<string, Json[]>()
  for (const error of errors) {
    const cause = `${error.message ?? error.reason} ${error.retryable}`
    causes.set(cause, [...(causes.get(cause) ?? []), error])
  }
  return [...causes.values()].map((same) => {
    const { retryable, message, reason } = same[0]
    return { retryable, cause: message ?? reason ?? null, operators: same.length }
  })
}

const status = (change: (update: Json) => string | undefined) => () =>
  changedUpdate((update) => {
    const instead = change(update)
    return instead === undefined ? update : { ...update, data: { ...update.data, status: instead } }
  })(unmarked)

/** Changes the decision of a simulated task, `{allow, reason}`. */
const simulated = (change: (decision: Json) => Json) => () =>
  changedResult('simulateTask', (simulation) =>
    simulation.result?.allow === undefined
      ? simulation
      : { ...simulation, result: change(simulation.result) },
  )(unmarked)

/** The context that is specified, and that of the variant with other details. */
const isDescribed = ({ failure_type, context }: Json) =>
  failure_type === 'quorum_not_reached' || context?.stage !== undefined

const aboutSchema = /\bschema (is|cannot|takes)|the secrets schema:/

/** A schema that cannot be used fails in other words than secrets that do not match one. */
function unusable(error: unknown): never {
  if (!(error instanceof Error) || !aboutSchema.test(error.message)) throw error
  throw Object.assign(uploadRefused(''), {
    message: 'DataProviderError: no usable schema for these secrets',
  })
}

export const taskResultVariants: readonly Variant[] = [
  {
    id: 'task.more-members',
    clauses: ['2.5-21'],
    choice: 'adds members to aggregation_response, task and task_response',
    parts: success((result) => ({
      ...result,
      aggregation_response: { ...result.aggregation_response, scheme: 'bn254', signers: 3 },
      task: { ...result.task, createdAt: 1.5, tags: [] },
      task_response: { ...result.task_response, version: null, decided_by: { rego: '0.9.0' } },
    })),
  },
  {
    id: 'task.errors-retryable-alone',
    clauses: ['2.5-22'],
    choice: 'shows of an operator’s error only whether it can be retried',
    parts: operatorErrors((errors) => errors.map(({ retryable }) => ({ retryable }))),
  },
  {
    id: 'task.errors-by-cause',
    clauses: ['2.5-28'],
    choice: 'lists one error for all operators with the same cause, and names none of them',
    parts: operatorErrors(byCause),
  },
  {
    id: 'task.one-error-enough',
    clauses: ['2.5-28'],
    choice: 'lists only the first operator that failed',
    parts: operatorErrors((errors) => errors.slice(0, 1)),
  },
  {
    id: 'task.success-without-errors',
    clauses: ['2.5-29'],
    choice: 'does not report the operators that failed in a success',
    parts: success((result) => without(result, 'operator_errors')),
  },
  {
    id: 'task.success-with-no-errors',
    clauses: ['2.5-29'],
    choice: 'has an empty list of operator_errors in a success without any',
    parts: success((result) => ({ operator_errors: [], ...result })),
  },
  {
    id: 'task.signature-data-inside',
    clauses: ['2.5-26'],
    choice: 'has signature_data only in task_response',
    parts: success((result) => without(result, 'signature_data')),
  },
  {
    id: 'task.signature-data-outside',
    clauses: ['2.5-26'],
    choice: 'has signature_data only at the top level',
    parts: success((result) => ({
      ...result,
      signature_data: result.signature_data ?? result.task_response?.signature_data,
      task_response: without(result.task_response, 'signature_data'),
    })),
  },
  {
    id: 'task.schema-has-own-error',
    clauses: ['2.7-15'],
    choice: 'reports a schema that it cannot use in other words than secrets that do not match one',
    parts: () =>
      composedParts([
        uploadStage((request, pass) => pass(request).catch(unusable)),
        secretsCheck((upload, pass) => pass(upload).catch(unusable)),
      ]),
  },
  {
    id: 'task.other-failure-context',
    clauses: ['2.8-11'],
    choice: 'gives failures other than of the quorum no context, and all of them further members',
    parts: notification((told) => ({
      ...told,
      schema_version: 2,
      links: { help: 'https://example.org/failures' },
      context: isDescribed(told) ? told.context : {},
    })),
  },
  {
    id: 'task.other-failure-details',
    clauses: ['2.8-11'],
    choice: 'describes failures other than of the quorum with other members of context',
    parts: notification((told) =>
      told.failure_type === 'quorum_not_reached'
        ? told
        : { ...told, context: { stage: 'evaluation', attempts: 1, signed_stake: null } },
    ),
  },
  {
    id: 'task.pending-to-the-end',
    clauses: ['3-06'],
    choice: 'keeps a task pending until it ends',
    parts: status(({ data }) => (data?.status === 'processing' ? 'pending' : undefined)),
  },
  {
    id: 'task.back-to-pending',
    clauses: ['3-06'],
    choice: 'puts a task back into its queue after the first answer of an operator',
    parts: status(({ data }) =>
      data?.status === 'processing' && data.operator_responses?.length === 1
        ? 'pending'
        : undefined,
    ),
  },
  {
    id: 'task.unchallenged-from-the-start',
    clauses: ['3-11', '2.9-32'],
    choice: 'shows every task as unchallenged until it is challenged',
    parts: () =>
      everyTask((task) =>
        task.challenge_result === null ? { ...task, challenge_result: 'unchallenged' } : task,
      )(unmarked),
  },
  {
    id: 'task.challenge-null-before',
    clauses: ['3-11'],
    choice: 'shows no challenge_result before a challenge',
    parts: () =>
      everyTask((task) =>
        task.challenge_result === 'unchallenged' ? { ...task, challenge_result: null } : task,
      )(unmarked),
  },
  {
    id: 'simulate.allowed-and-message',
    clauses: ['4.4-13'],
    choice: 'names the decision of a simulated task allowed, and its reason message',
    parts: simulated(({ allow, reason, ...rest }) => ({
      ...rest,
      allowed: allow,
      message: reason,
    })),
  },
  {
    id: 'simulate.compliant-or-not',
    clauses: ['4.4-13'],
    choice: 'answers a simulated task with compliant or non-compliant, and a list of reasons',
    parts: simulated(({ allow, reason }) => ({
      verdict: allow === true ? 'compliant' : allow === false ? 'non-compliant' : allow,
      reasons: String(reason).split('; '),
    })),
  },
]
