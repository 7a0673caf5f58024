import { type SpanContext, TraceFlags, trace } from '@opentelemetry/api'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { expect, it } from 'vitest'
import type { TaskTrace, TaskTraceQueries } from '../store/taskTraces.ts'
import { createTaskTraces } from './taskTraces.ts'
import { createTracing } from './tracing.ts'

const tracing = createTracing(new BasicTracerProvider().getTracer('test'))

function spanOf(at: number, sampled = true): SpanContext {
  const hex = at.toString(16)
  return {
    traceId: hex.padStart(32, '1'),
    spanId: hex.padStart(16, '2'),
    traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  }
}

/** A table, in memory. */
function table(rows = new Map<string, string>()) {
  const stored: TaskTraceQueries = {
    async put(traces: readonly TaskTrace[]) {
      for (const { taskId, traceparent } of traces) rows.set(taskId, traceparent)
    },
    find: async (ids) =>
      ids.flatMap((taskId) => {
        const traceparent = rows.get(taskId)
        return traceparent === undefined ? [] : [{ taskId, traceparent }]
      }),
    async removeOlderThan() {},
  }
  return { rows, stored }
}

const open = (stored: TaskTraceQueries) => createTaskTraces({ tracing, stored })

it('are found by another process', async () => {
  const { rows, stored } = table()
  const first = open(stored)
  first.remember('0xAB', spanOf(1))
  first.remember('0xCD', spanOf(2, false))
  await first.close()
  expect([...rows]).toEqual([['0xab', `00-${spanOf(1).traceId}-${spanOf(1).spanId}-01`]])
  const found = await open(stored).find(['0xab', '0xCD', '0xEF'])
  expect([...found.keys()]).toEqual(['0xab'])
  expect(trace.getSpanContext(found.get('0xab')!)).toEqual(spanOf(1))
})

it('ignores what is not a span, and a store that fails', async () => {
  const { stored } = table(new Map([['0xab', `00-${'a'.repeat(32)}-short-01`]]))
  expect(await open(stored).find(['0xab'])).toEqual(new Map())
  const failing = () => Promise.reject(new Error('down'))
  const traces = open({ put: failing, find: failing, removeOlderThan: failing })
  traces.remember('0xab', spanOf(1))
  expect([...(await traces.find(['0xab', '0xcd'])).keys()]).toEqual(['0xab'])
  await traces.close()
})

it('keeps a bounded number in memory', async () => {
  const { stored } = table()
  const traces = open({ ...stored, put: async () => {} })
  for (let at = 0; at < 10_500; at++) traces.remember(`0x${at}`, spanOf(at))
  expect(traces.known('0x0')).toBeUndefined()
  expect(traces.known('0x10499')).toBeDefined()
  await traces.close()
})
