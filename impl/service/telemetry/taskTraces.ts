import { type Context, type SpanContext, TraceFlags } from '@opentelemetry/api'
import { monotonicClock } from 'polgate-protocol/clock.ts'
import type { TaskTraceQueries } from '../store/taskTraces.ts'
import { isSampled, type Tracing } from './tracing.ts'

/**
 * The spans of tasks, so that what happens later continues their traces: posting, indexing, webhooks,
 * updates, and tasks that another gateway continues. Kept in memory, and in the store for the other
 * processes. Failures of the store only cost these spans.
 */
export type TaskTraces = {
  remember(taskId: string, span: SpanContext): void
  /** Of tasks of this process only. */
  known(taskId: string): Context | undefined
  /** The recorded ones of these tasks. */
  find(taskIds: readonly string[]): Promise<ReadonlyMap<string, Context>>
  /** Writes what is not stored yet. */
  close(): Promise<void>
}

/** Spans in memory; the oldest is forgotten. */
const maxKnown = 10_000
/** Spans that wait to be stored; further ones are only in memory. */
const maxWaiting = 2_000
/** How long spans are collected for one statement, milliseconds. */
const flushMs = 50
/** Posting gives up, and webhooks have no retries left, within hours. */
const keptMs = 24 * 60 * 60 * 1000
const removeEveryMs = 60 * 60 * 1000

export function createTaskTraces(deps: {
  readonly tracing: Pick<Tracing, 'contextIn'>
  readonly stored: TaskTraceQueries
}): TaskTraces {
  const { tracing, stored } = deps
  const known = new Map<string, SpanContext>()
  const waiting = new Map<string, SpanContext>()
  let flushing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let removeAt = monotonicClock()

  function keep(taskId: string, span: SpanContext): void {
    known.delete(taskId)
    known.set(taskId, span)
    if (known.size <= maxKnown) return
    const [oldest] = known.keys()
    known.delete(oldest as string)
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    await flushing
    const rows = [...waiting].map(([taskId, span]) => ({ taskId, traceparent: textOf(span) }))
    waiting.clear()
    if (rows.length === 0) return
    flushing = store(rows).catch(() => {})
    await flushing
  }

  async function store(rows: Parameters<TaskTraceQueries['put']>[0]): Promise<void> {
    await stored.put(rows)
    if (monotonicClock() < removeAt) return
    removeAt = monotonicClock() + removeEveryMs
    await stored.removeOlderThan(keptMs)
  }

  return {
    remember(taskId, span) {
      const id = taskId.toLowerCase()
      keep(id, span)
      if (!isSampled(span) || waiting.size >= maxWaiting) return
      waiting.set(id, span)
      timer ??= setTimeout(() => void flush(), flushMs).unref()
    },
    known(taskId) {
      const span = known.get(taskId.toLowerCase())
      return span && tracing.contextIn(span)
    },
    async find(taskIds) {
      const ids = taskIds.map((id) => id.toLowerCase())
      const found = new Map<string, SpanContext>()
      for (const id of ids) {
        const span = known.get(id)
        if (span !== undefined) found.set(id, span)
      }
      const missing = ids.filter((id) => !found.has(id))
      if (missing.length > 0) {
        const rows = await stored.find(missing).catch(() => [])
        for (const { taskId, traceparent } of rows) {
          const span = spanOf(traceparent)
          if (span !== undefined) found.set(taskId, span)
        }
      }
      return new Map(
        [...found]
          .filter(([, span]) => isSampled(span))
          .map(([id, span]) => [id, tracing.contextIn(span)]),
      )
    },
    close: flush,
  }
}

const textOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01'}`

/** Only what this service stores itself, so one form; not marked as remote: it decides sampling alone. */
function spanOf(text: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-(0[01])$/.exec(text) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, traceFlags: flags === '01' ? TraceFlags.SAMPLED : TraceFlags.NONE }
}
