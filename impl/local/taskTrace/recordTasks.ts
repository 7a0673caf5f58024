import type { TaskSpan } from 'polgate-protocol/control/taskTrace.ts'
import type { Operator } from 'polgate-service/operators/operator.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import { inStage } from 'polgate-service/tasks/stopwatch.ts'
import type { TaskChain } from 'polgate-service/tasks/taskChain.ts'
import type { AroundTask, TaskDeps } from 'polgate-service/tasks/taskDeps.ts'
import { createRecording, type Recording } from './recording.ts'
import { recordedFetch, recordedTools } from './recordOracles.ts'
import { createTraces, type RecordedTrace, type Traces } from './traces.ts'

export type TaskTraceRecorder = {
  of(taskId: string): RecordedTrace | undefined
  /** The parts of a service with recording around them. */
  around(parts: ServiceParts): ServiceParts
}

/** Records the path of each task through this process. Nothing of it exists in a service without it. */
export function createTaskTraceRecorder(traces: Traces = createTraces()): TaskTraceRecorder {
  const recording = createRecording(traces)
  let clock: () => number = Date.now
  const opened = <T>(work: () => T): T =>
    recording.within({ trace: traces.open(clock()), parent: null }, work)
  return {
    of: traces.of,
    around: (parts) => ({
      ...parts,
      tasks(tasks) {
        const own = parts.tasks?.(tasks) ?? tasks
        return {
          ...own,
          createTask: (...given) => opened(() => own.createTask(...given)),
          sendTask: (...given) => opened(() => own.sendTask(...given)),
        }
      },
      taskDeps(deps) {
        clock = deps.clock
        return recordedDeps(recording, parts.taskDeps?.(deps) ?? deps)
      },
      operatorTools: (tools) => recordedTools(recording, parts.operatorTools?.(tools) ?? tools),
      oracleFetch: (fetch) => recordedFetch(recording, parts.oracleFetch?.(fetch) ?? fetch),
    }),
  }
}

/** Stages of a task by their names on the stopwatch. */
const stages: Readonly<Record<string, Pick<TaskSpan, 'kind' | 'name'>>> = {
  admission: { kind: 'admission', name: 'admission' },
  'chain reads': { kind: 'chain', name: 'chain reads' },
  store: { kind: 'store', name: 'store' },
  oracle: { kind: 'stage', name: 'collect data' },
  settle: { kind: 'stage', name: 'settle data' },
  'evaluate and sign': { kind: 'stage', name: 'evaluate and sign' },
  aggregate: { kind: 'stage', name: 'aggregate signatures' },
}

function recordedDeps(recording: Recording, deps: TaskDeps): TaskDeps {
  const { stopwatch } = deps
  return {
    ...deps,
    stopwatch: {
      record: (stage, milliseconds) => stopwatch.record(stage, milliseconds),
      around(stage, work) {
        const inner = () => inStage(stopwatch, stage, work)
        const span = stages[stage]
        return span === undefined ? inner() : recording.span(span, inner)
      },
    },
    aroundTask: aroundTask(recording, deps),
    operators: deps.operators.map((operator) => recordedOperator(recording, operator)),
    chain: recordedChain(recording, deps.chain),
  }
}

const aroundTask =
  (recording: Recording, { aroundTask: around, clock }: TaskDeps): AroundTask =>
  async (admitted, work) => {
    const { traces } = recording
    // A task of an earlier process has no admission here.
    const trace = recording.scope()?.trace ?? traces.open(clock())
    const { id, method, request, referenceBlock } = admitted.record
    const set = admitted.read?.operatorSet.operators
    const stakes = set?.map(({ account, stakes }) => ({
      address: account,
      stakes: stakes.map(String),
    }))
    traces.admitted(trace, { id, method, request, referenceBlock, ...(stakes && { stakes }) })
    const run = () => (around === undefined ? work() : around(admitted, work))
    try {
      return await recording.within({ trace, parent: null }, () =>
        recording.span({ kind: 'task', name: 'task' }, async (span) => {
          const result = await run()
          if (span !== undefined && result.error) span.error = result.error.slice(0, 2_000)
          return result
        }),
      )
    } finally {
      trace.ended = true
    }
  }

function recordedOperator(recording: Recording, operator: Operator): Operator {
  const { address } = operator
  return {
    ...operator,
    collectData: (request, signal) =>
      recording.span(
        { kind: 'operator', name: 'collect data' },
        () => operator.collectData(request, signal),
        { operator: address },
      ),
    sign: (request, signal) =>
      recording.span(
        { kind: 'operator', name: 'evaluate and sign' },
        () => operator.sign(request, signal),
        { operator: address },
      ),
  }
}

const reads = {
  latestBlock: 'latest block',
  clientAndOperators: 'client and operators',
  clientContext: 'client',
  operatorSet: 'operators',
  policyData: 'policy data',
  owner: 'owner',
  signingDomain: 'signing domain',
  configuredPolicy: 'policy',
  spendRefusals: 'would it be accepted',
} as const satisfies Partial<Record<keyof TaskChain, string>>

function recordedChain(recording: Recording, chain: TaskChain): TaskChain {
  const recorded = Object.entries(reads).map(([name, what]) => {
    const read = chain[name as keyof typeof reads] as (...given: unknown[]) => Promise<unknown>
    return [
      name,
      (...given: unknown[]) =>
        recording.span({ kind: 'chain', name: `read ${what}` }, () => read(...given)),
    ]
  })
  return {
    ...chain,
    ...(Object.fromEntries(recorded) as Pick<TaskChain, keyof typeof reads>),
    async post(answers) {
      const { traces } = recording
      const posting = answers.map(({ task }) => {
        const trace = traces.of(task.taskId)
        const facts = { together: answers.length }
        return trace && { trace, span: traces.begin(trace, { ...post, facts }) }
      })
      const ends = await chain.post(answers)
      ends.forEach((end, at) => {
        const each = posting[at]
        if (each === undefined) return
        traces.end(each.trace, each.span, end.status === 'rejected' ? end.reason : undefined)
      })
      return ends
    },
  }
}

const post = { kind: 'post', name: 'post on chain', parent: null } as const
