import { trace } from '@opentelemetry/api'
import type { OnChainAnswer } from 'polgate-chain/tasks.ts'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ExplorerIndex } from '../store/explorer/explorerIndex.ts'
import type { TaskChain } from '../tasks/taskChain.ts'
import { attribute } from './attributes.ts'
import { openTelemetry } from './openTelemetry.ts'
import type { Telemetry } from './startTelemetry.ts'
import { createTaskTraces, type TaskTraces } from './taskTraces.ts'
import { type CollectedSpan, type Collector, startCollector } from './testing/collector.ts'
import { tracedIndex } from './tracedIndex.ts'
import { tracedPosting } from './tracedPosting.ts'

/** What happens to tasks after they have been answered: posting and indexing. */

const cleanup = createCleanupStack()
let collector: Collector
let telemetry: Telemetry
let traces: TaskTraces
beforeEach(async () => {
  collector = await startCollector()
  cleanup.defer(() => collector.close())
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '20')
  cleanup.defer(() => void vi.unstubAllEnvs())
  telemetry = (await openTelemetry({
    config: { endpoint: collector.url, headers: {}, followCallers: true, oracleHosts: [] },
    role: 'gateway',
    log: console,
  })) as Telemetry
  cleanup.defer(() => telemetry.close())
  const nothing = { put: async () => {}, find: async () => [], removeOlderThan: async () => {} }
  traces = createTaskTraces({ tracing: telemetry.tracing, stored: nothing })
})
afterEach(cleanup.close)

/** A task with a span, in a trace of its own. */
const begun = (id: string) =>
  telemetry.tracing.span('task', {}, async (span) => {
    traces.remember(id, span.spanContext())
    return span.spanContext()
  })

const named = (name: string): CollectedSpan[] =>
  collector.spans.filter((span) => span.name === name)

describe('posting', () => {
  const answers = (...ids: string[]) =>
    ids.map((taskId) => ({ task: { taskId } })) as unknown as OnChainAnswer[]
  const posting = (post: TaskChain['post']) =>
    tracedPosting(telemetry.tracing, traces, { chainId: 1, post } as TaskChain)

  it('has a span in each trace, linked to the one of the transaction', async () => {
    const [a, b] = [await begun('0xa'), await begun('0xb')]
    const ends = [
      { status: 'fulfilled', value: undefined },
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: new Error('a secret address') },
    ] as const
    const { post } = posting(async () => {
      // Requests to the node are below the span of the transaction.
      await telemetry.tracing.child('node eth_call', {}, async () => {})
      return ends
    })
    expect(await post(answers('0xA', '0xunknown', '0xb'))).toEqual(ends)
    await expect.poll(() => named('post').length, { timeout: 30_000 }).toBe(2)
    const [together] = named('post together')
    expect(together).toMatchObject({
      traceId: a.traceId,
      parentSpanId: a.spanId,
      links: [b.spanId],
      attributes: { [attribute.tasks]: 3 },
    })
    expect(named('node eth_call')[0]!.parentSpanId).toBe(together!.spanId)
    const posts = named('post')
    expect(posts.map(({ traceId }) => traceId)).toEqual([a.traceId, b.traceId])
    expect(posts.map(({ isError }) => isError)).toEqual([false, true])
    expect(posts.every(({ links }) => links[0] === together!.spanId)).toBe(true)
    expect(collector.text()).not.toContain('a secret address')
  })

  it('has none for tasks that are not traced', async () => {
    const post = vi.fn(async () => [])
    await posting(post).post(answers('0xc'))
    await begun('0xd')
    await expect.poll(() => collector.spans.map(({ name }) => name)).toEqual(['task'])
    expect(post).toHaveBeenCalledOnce()
    expect(trace.getSpan(telemetry.tracing.activeContext())).toBeUndefined()
  })
})

describe('indexing', () => {
  const event = (kind: string, taskId: string) => ({ kind, taskId })
  const batch = (...events: object[]) => ({ from: 5, to: 9, blocks: [], events }) as never
  const indexing = (append: () => Promise<boolean>) =>
    tracedIndex(telemetry.tracing, traces, { append } as unknown as ExplorerIndex)

  it('has one span for the events of a task', async () => {
    const { traceId, spanId } = await begun('0xa')
    const events = [event('created', '0xA'), event('responded', '0xa'), event('created', '0xb')]
    expect(await indexing(async () => true).append(1, batch(...events))).toBe(true)
    await expect.poll(() => named('index').length, { timeout: 30_000 }).toBe(1)
    expect(named('index')[0]).toMatchObject({
      traceId,
      parentSpanId: spanId,
      isError: false,
      attributes: { [attribute.taskId]: '0xa', [attribute.chainId]: 1 },
    })
  })

  it('has no span for blocks that were read before, and a failed one if the store fails', async () => {
    await begun('0xa')
    expect(await indexing(async () => false).append(1, batch(event('created', '0xa')))).toBe(false)
    const failing = indexing(async () => {
      throw new Error('down')
    })
    await expect(failing.append(1, batch(event('created', '0xa')))).rejects.toThrow('down')
    await expect.poll(() => named('index').length, { timeout: 30_000 }).toBe(1)
    expect(named('index')[0]!.isError).toBe(true)
  })
})
