import type { Span } from '@opentelemetry/api'
import type { TaskResult } from 'polgate-protocol/task.ts'
import { boundedText } from '../logging/boundedValue.ts'
import { encodeEvaluationResult } from '../operators/evaluationResult.ts'
import { inStage } from '../tasks/stopwatch.ts'
import type { TaskChain } from '../tasks/taskChain.ts'
import type { AroundTask, TaskDeps } from '../tasks/taskDeps.ts'
import { attribute } from './attributes.ts'
import { longestErrorText } from './errorFacts.ts'
import type { TaskTraces } from './taskTraces.ts'
import { tracedOperator } from './tracedOperators.ts'
import { tracedPosting } from './tracedPosting.ts'
import { recordFailure, type Tracing } from './tracing.ts'

/** Spans of stages. `store` has spans by statement instead. */
const stages: Readonly<Record<string, string>> = {
  admission: 'admission',
  'chain reads': 'chain context',
  oracle: 'collect',
  settle: 'settle',
  'open private data': 'open private data',
  'evaluate and sign': 'sign',
  aggregate: 'aggregate',
}

/** The dependencies of tasks, with spans for a task, its stages, statements, reads and operators. */
export function tracedTaskDeps(tracing: Tracing, traces: TaskTraces, deps: TaskDeps): TaskDeps {
  const { store, stopwatch } = deps
  const statement =
    <Given extends readonly unknown[], Result>(
      name: string,
      run: (...given: Given) => Promise<Result>,
    ) =>
    (...given: Given): Promise<Result> =>
      tracing.child(name, { attributes: { 'db.system.name': 'postgresql' } }, () => run(...given))
  return {
    ...deps,
    stopwatch: {
      record: (stage, milliseconds) => stopwatch.record(stage, milliseconds),
      around(stage, work) {
        const inner = () => inStage(stopwatch, stage, work)
        const name = stages[stage]
        return name === undefined ? inner() : tracing.child(name, {}, () => inner())
      },
    },
    aroundTask: aroundTask(tracing, traces, deps),
    operators: deps.operators.map((operator) => tracedOperator(tracing, operator)),
    chain: tracedPosting(tracing, traces, tracedReads(tracing, deps.chain)),
    store: {
      ...store,
      tasks: {
        ...store.tasks,
        admit: statement('store admit', store.tasks.admit),
        finish: statement('store finish', store.tasks.finish),
      },
      ownership: {
        ...store.ownership,
        settle: statement('store settle', store.ownership.settle),
      },
    },
  }
}

const aroundTask =
  (tracing: Tracing, traces: TaskTraces, { chain, aroundTask: inner }: TaskDeps): AroundTask =>
  async (admitted, work) => {
    const { task, record, checkpoint } = admitted
    const isOwn = tracing.activeSpan() !== undefined
    // Taken over from another gateway or an earlier process.
    const parent = isOwn ? undefined : (await traces.find([record.id])).get(record.id.toLowerCase())
    return await tracing.span(
      'task',
      {
        ...(parent && { parent }),
        attributes: {
          [attribute.taskId]: record.id,
          [attribute.policyClient]: task.policyClient,
          [attribute.chainId]: chain.chainId,
          [attribute.quorum]: [...task.quorums],
          [attribute.threshold]: task.threshold,
          [attribute.resumed]: checkpoint !== null || !isOwn,
          'rpc.method': record.method,
        },
      },
      async (span) => {
        traces.remember(record.id, span.spanContext())
        const result = await (inner === undefined ? work() : inner(admitted, work))
        recordEnd(span, result)
        return result
      },
    )
  }

function recordEnd(span: Span, { status, error, task_response: response }: TaskResult): void {
  span.setAttribute(attribute.taskStatus, status)
  if (response !== undefined) {
    span.setAttribute(attribute.policyId, response.policy_id)
    span.setAttribute(attribute.decision, decisionOf(response.evaluation_result))
  }
  if (status === 'success') return
  recordFailure(span, { type: status, message: boundedText(error ?? '', longestErrorText) })
}

/** Decision T11. */
const allowing: readonly string[] = [
  encodeEvaluationResult('true'),
  encodeEvaluationResult('"true"'),
]

const decisionOf = (result: readonly number[]): 'allow' | 'deny' =>
  allowing.includes(`0x${Buffer.from(result).toString('hex')}`) ? 'allow' : 'deny'

const reads = [
  'clientAndOperators',
  'clientContext',
  'operatorSet',
  'latestBlock',
  'policyData',
  'owner',
  'signingDomain',
  'configuredPolicy',
  'spendRefusals',
] as const satisfies readonly (keyof TaskChain)[]

function tracedReads(tracing: Tracing, chain: TaskChain): TaskChain {
  const traced = reads.map((name) => {
    const read = chain[name] as (...given: readonly unknown[]) => Promise<unknown>
    return [
      name,
      (...given: readonly unknown[]) => tracing.child(`chain ${name}`, {}, () => read(...given)),
    ]
  })
  return { ...chain, ...(Object.fromEntries(traced) as Pick<TaskChain, (typeof reads)[number]>) }
}
