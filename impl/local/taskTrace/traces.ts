import type { TaskSpan } from 'polgate-protocol/control/taskTrace.ts'
import type { PolicyEvaluation, PolicyOutcome } from 'polgate-service/operators/policyEvaluator.ts'

export type RecordedSpan = {
  -readonly [Member in keyof TaskSpan]: TaskSpan[Member]
}

/** One evaluation of the policy, by the operators that made it. */
export type RecordedEvaluation = {
  readonly evaluation: PolicyEvaluation
  /** It had private data, which is not kept: evaluated again, the policy would decide otherwise. */
  readonly isPrivate: boolean
  readonly operators: string[]
  outcome?: PolicyOutcome
  error?: string
}

/** The path of one task, which grows while the task runs. */
export type RecordedTrace = {
  /** Unix milliseconds, of the clock of the service. */
  readonly startedAt: number
  /** The same moment of `performance.now()`. */
  readonly begin: number
  readonly spans: RecordedSpan[]
  readonly evaluations: RecordedEvaluation[]
  /** Known once the task is admitted. */
  task?: {
    readonly id: string
    readonly method: string
    readonly request: unknown
    readonly referenceBlock: number | null
    /** At the task's block, a stake for each of its quorums. */
    readonly stakes?: readonly { readonly address: string; readonly stakes: readonly string[] }[]
  }
  ended: boolean
  /** Characters that it keeps, and how many spans and bodies it does not. */
  size: number
  dropped: number
}

export type TraceLimits = {
  readonly tasks: number
  /** Characters of all traces together; the oldest are forgotten first. */
  readonly size: number
  /** Of one trace: no further bodies are kept. */
  readonly sizeOfOne: number
  readonly spans: number
}

const mebi = 1024 * 1024
export const traceLimits: TraceLimits = {
  tasks: 1_000,
  size: 128 * mebi,
  sizeOfOne: 4 * mebi,
  spans: 2_000,
}

export type Traces = {
  open(startedAt: number): RecordedTrace
  /** Makes a trace known by the id of its task. */
  admitted(trace: RecordedTrace, task: NonNullable<RecordedTrace['task']>): void
  of(taskId: string): RecordedTrace | undefined
  /** Undefined where the trace has too many. */
  begin(
    trace: RecordedTrace,
    span: Omit<TaskSpan, 'id' | 'start' | 'duration'>,
  ): RecordedSpan | undefined
  end(trace: RecordedTrace, span: RecordedSpan | undefined, error?: unknown): void
  /** Counts characters. False: the trace has too many, and must not keep these. */
  keep(trace: RecordedTrace, characters: number): boolean
}

const longestError = 2_000

/** Traces of the latest tasks, in memory. */
export function createTraces(limits: TraceLimits = traceLimits): Traces {
  const byTask = new Map<string, RecordedTrace>()
  let total = 0

  function forgetOldest(): void {
    for (const [id, trace] of byTask) {
      if (byTask.size <= limits.tasks && total <= limits.size) break
      // The latest stays, however large.
      if (byTask.size === 1) break
      byTask.delete(id)
      total -= trace.size
    }
  }
  const isKnown = ({ task }: RecordedTrace) => task !== undefined && byTask.has(task.id)

  return {
    open: (startedAt) => ({
      startedAt,
      begin: performance.now(),
      spans: [],
      evaluations: [],
      ended: false,
      size: 0,
      dropped: 0,
    }),
    admitted(trace, task) {
      const id = task.id.toLowerCase()
      trace.task = { ...task, id }
      total += trace.size - (byTask.get(id)?.size ?? 0)
      byTask.delete(id)
      byTask.set(id, trace)
      forgetOldest()
    },
    of: (taskId) => byTask.get(taskId.toLowerCase()),
    begin(trace, span) {
      if (trace.spans.length >= limits.spans) {
        trace.dropped += 1
        return undefined
      }
      const start = rounded(performance.now() - trace.begin)
      const added = { ...span, id: trace.spans.length + 1, start, duration: null }
      trace.spans.push(added)
      return added
    },
    end(trace, span, error) {
      if (span === undefined) return
      span.duration = rounded(performance.now() - trace.begin - span.start)
      if (error !== undefined) span.error = textOf(error)
    },
    keep(trace, characters) {
      if (trace.size + characters > limits.sizeOfOne) {
        trace.dropped += 1
        return false
      }
      trace.size += characters
      if (isKnown(trace)) {
        total += characters
        forgetOldest()
      }
      return true
    },
  }
}

/** Microseconds are enough. */
const rounded = (milliseconds: number) => Math.max(0, Math.round(milliseconds * 1_000) / 1_000)

export const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, longestError)
