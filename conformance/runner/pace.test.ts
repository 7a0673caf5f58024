import { describe, expect, test } from 'vitest'
import { answering, execute } from './execute.fixture.ts'
import { createPace } from './pace.ts'

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

describe('the time limit of a check', () => {
  const five = {
    run: async (t: Parameters<Parameters<typeof execute>[0]['run'] & {}>[0]) => {
      for (let call = 0; call < 5; call += 1) await t.gateway.call('createTask', {})
    },
  }

  test('is extended by the latency of each exchange', async () => {
    expect((await execute(five, { checkMs: 150, fetch: late(60) })).verdict).toBe('passed')
  })

  test('ends a check that waits for something else', async () => {
    const waiting = { run: () => new Promise<void>(() => {}) }
    const outcome = await execute(waiting, { checkMs: 50, fetch: late(60) })
    expect(['failed', 'untestable']).toContain(outcome.verdict)
    expect(outcome.reason).toMatch(/timed out/)
  })
})
