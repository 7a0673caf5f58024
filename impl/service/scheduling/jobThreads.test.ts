import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { createJobThreads, type JobThreads, type JobThreadsOptions } from './jobThreads.ts'

type Job = 'throw' | 'exit' | 'loop' | 'fill' | 'reject later' | 'wait' | 'fine'
type Answer = { readonly job: Job; readonly jobs: number }

let threads: JobThreads<Job, Answer> | undefined
afterEach(() => threads?.close())

function open(options: Partial<JobThreadsOptions<Job>> = {}): JobThreads<Job, Answer> {
  threads = createJobThreads<Job, Answer>({
    script: new URL('./testing/job.worker.mjs', import.meta.url),
    heapMiB: 32,
    threads: 1,
    workMs: 10_000,
    perOwner: 128,
    inAll: 1_000,
    ...options,
  })
  return threads
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: { code?: string }) => error.code,
  )

describe('a job that breaks its thread', () => {
  it.each([
    ['throw', 'crash'],
    ['exit', 'crash'],
    ['fill', 'memory'],
  ] as const)('by %s fails as %s, and the next one succeeds', async (job, failure) => {
    const { run } = open()
    const bad = failureOf(run(job, { owner: 'a' }))
    const good = run('fine', { owner: 'b' })
    expect(await bad).toBe(failure)
    expect((await good).job).toBe('fine')
  })

  it('by an endless loop exceeds its CPU time', async () => {
    const { run } = open({ workMs: 300 })
    const bad = failureOf(run('loop', { owner: 'a' }))
    const good = run('fine', { owner: 'b' })
    expect(await bad).toBe('work')
    expect((await good).job).toBe('fine')
  })

  it('after its answer does not fail the job of the next owner', async () => {
    const { run } = open()
    const bad = run('reject later', { owner: 'a' })
    // It is still running when the thread crashes, and is rerun in another thread.
    const good = run('wait', { owner: 'b' })
    expect((await bad).jobs).toBe(1)
    expect(await good).toEqual({ job: 'wait', jobs: 1 })
  })
})

it('serves owner b whatever owner a submits (property)', async () => {
  const hostile = fc.constantFrom<Job>('throw', 'exit', 'reject later', 'wait', 'fine')
  await fc.assert(
    fc.asyncProperty(
      fc.array(hostile, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 2 }),
      async (jobs, count) => {
        const { run, close } = open({ threads: count })
        const bad = jobs.map((job) => failureOf(run(job, { owner: 'a' })))
        const good = ['wait', 'fine', 'wait'].map((job) => run(job as Job, { owner: 'b' }))
        expect((await Promise.all(good)).map(({ job }) => job)).toEqual(['wait', 'fine', 'wait'])
        await Promise.all(bad)
        await close()
      },
    ),
    { numRuns: 12 },
  )
}, 120_000)

it('displaces only jobs of the owner that floods the queue', async () => {
  const { run } = open({ inAll: 20, perOwner: 100 })
  const flood = Array.from({ length: 40 }, () => failureOf(run('wait', { owner: 'a' })))
  const others = Array.from({ length: 5 }, (_, n) => run('fine', { owner: `b${n}` }))
  await expect(Promise.all(others)).resolves.toHaveLength(5)
  const outcomes = await Promise.all(flood)
  expect(new Set(outcomes)).toEqual(new Set(['none', 'busy']))
  expect(outcomes.filter((outcome) => outcome === 'busy').length).toBeGreaterThanOrEqual(20)
})

it('serves owners in turn', async () => {
  const { run } = open()
  const order: string[] = []
  const done = (name: string) => () => void order.push(name)
  const all = ['a', 'a', 'a', 'b', 'c'].map((owner) => run('wait', { owner }).then(done(owner)))
  await Promise.all(all)
  expect(order).toEqual(['a', 'b', 'c', 'a', 'a'])
})

it('does not start cancelled jobs, and finishes running ones', async () => {
  const { run, close } = open()
  const caller = new AbortController()
  const first = run('wait', { owner: 'a' })
  const second = run('fine', { owner: 'a', signal: caller.signal })
  caller.abort(new Error('cancelled'))
  await expect(second).rejects.toThrow('cancelled')
  await first
  const last = failureOf(run('wait', { owner: 'a' }))
  await close()
  expect(await last).toBe('closed')
  expect(await failureOf(run('fine', { owner: 'a' }))).toBe('closed')
})

it('reports that threads do not start', async () => {
  const { run } = open({ script: new URL('./testing/none.mjs', import.meta.url) })
  expect(await failureOf(run('fine', { owner: 'a' }))).toBe('start')
})

it('posts what a job moves to its thread, again for a retry', async () => {
  const moved: ArrayBuffer[] = []
  const { run } = open({
    posted: (message) => {
      const buffer = new ArrayBuffer(8)
      moved.push(buffer)
      return { message, transfer: [buffer] }
    },
  })
  expect(await failureOf(run('throw', { owner: 'a' }))).toBe('crash')
  expect((await run('fine', { owner: 'a' })).job).toBe('fine')
  expect(moved.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0])
})
