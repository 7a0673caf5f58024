import { describe, expect, test } from 'vitest'
import type { CheckContext } from '../core/context.ts'
import { answering, execute } from './execute.fixture.ts'
import { createLoadWatch, createPace } from './pace.ts'

function late(ms: number): typeof fetch {
  const fast = answering({ jsonrpc: '2.0', id: '1', result: {} })
  const slow = async (...args: Parameters<typeof fetch>) => {
    await new Promise((done) => setTimeout(done, ms))
    return fast(...args)
  }
  return slow as typeof fetch
}

describe('the pace of a target', () => {
  test('is its fastest exchange', () => {
    const pace = createPace()
    expect(pace.latencyMs()).toBe(0)
    for (const ms of [900, 40, 3_000]) pace.saw(ms)
    expect(pace.latencyMs()).toBe(40)
  })

  test('reduces the runs of properties of a slow target, to ten at least', () => {
    const pace = createPace()
    expect(pace.runs(150)).toBe(150)
    pace.saw(300)
    expect(pace.runs(150)).toBe(150)
    const slow = createPace()
    slow.saw(1_500)
    expect(slow.runs(150)).toBe(30)
    expect(slow.runs(12)).toBe(10)
    expect(slow.runs(3)).toBe(3)
    const slowest = createPace()
    slowest.saw(60_000)
    expect(slowest.runs(150)).toBe(10)
  })
})

describe('patience with a target', () => {
  test('is the usual limit where it answers at once and its chain mines on demand', () => {
    expect(createPace().patienceMs(30_000)).toBe(30_000)
  })

  test('is longer by three of its blocks, or as many as the wait needs, and two answers', () => {
    const pace = createPace(12_000)
    expect(pace.patienceMs(30_000)).toBe(66_000)
    expect(pace.patienceMs(60_000, 20)).toBe(300_000)
    pace.saw(1_500)
    expect(pace.patienceMs(30_000)).toBe(69_000)
  })
})

describe('the time limit of a check', () => {
  const five = {
    run: async (t: CheckContext) => {
      for (let call = 0; call < 5; call += 1) await t.gateway.call('createTask', {})
    },
  }

  test('is extended by the latency of each exchange', async () => {
    expect((await execute(five, { checkMs: 150, fetch: late(60) })).verdict).toBe('passed')
  })

  test('is extended by the blocks that answers wait for', async () => {
    const waiting = {
      run: async (t: CheckContext) => {
        const all = Array.from({ length: 5 }, () => t.gateway.call('createTask', {}))
        await Promise.all(all)
        await new Promise((done) => setTimeout(done, 900))
      },
    }
    const limits = { checkMs: 100, fetch: late(10) }
    expect((await execute(waiting, limits)).reason).toMatch(/timed out/)
    expect((await execute(waiting, { ...limits, blockMs: 50 })).verdict).toBe('passed')
  })

  test('ends a check that waits for something else', async () => {
    const waiting = { run: () => new Promise<void>(() => {}) }
    const outcome = await execute(waiting, { checkMs: 50, fetch: late(60) })
    expect(['failed', 'untestable']).toContain(outcome.verdict)
    expect(outcome.reason).toMatch(/timed out/)
  })
})

test('a load that began half a minute ago shows, although the average follows slowly', () => {
  let seconds = 0
  // The average over a minute of a machine that was idle until it got eight processes.
  const average = () => 8 * (1 - Math.exp(-seconds / 60))
  const watch = createLoadWatch(average, () => seconds * 1000)
  for (seconds = 15; seconds < 30; seconds += 15) watch.sample()
  expect(average()).toBeLessThan(3.5)
  expect(watch.load()).toBeCloseTo(8)
})
