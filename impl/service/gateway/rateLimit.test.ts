import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { engines } from '../store/engines.fixture.ts'
import { type RateLimitCounters, rateLimitCounters } from '../store/rateLimitCounters.ts'
import { openEmptyStore } from '../store/testing/openEmptyStore.ts'
import { openTestGateway } from './gateway.fixture.ts'
import { createRateLimiter, type RateLimiter } from './rateLimit.ts'

async function counters() {
  const engine = engines.find(({ name }) => name === 'server') ?? engines[0]!
  const store = await openEmptyStore(engine.url)
  return { ...rateLimitCounters(store.database), database: store.database, close: store.close }
}

describe.each(['in memory', 'in the database'])('counters %s', (where) => {
  const limit = { perSecond: 2, burst: 3 }
  let shared: Awaited<ReturnType<typeof counters>> | undefined
  let limiter: RateLimiter
  beforeEach(async () => {
    shared = where === 'in memory' ? undefined : await counters()
    // Fakes only the time: the database needs real timers.
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
    limiter = createRateLimiter({ counters: shared })
  })
  afterEach(async () => {
    vi.useRealTimers()
    limiter.close()
    await shared?.close()
  })
  const take = async (times: number, name = 'a', by = limiter) => {
    const waits: number[] = []
    for (let time = 0; time < times; time++) waits.push(await by.take(name, limit))
    return waits
  }
  const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

  it('are full when the clock goes back by hours, instead of rejecting for as long', async () => {
    expect(await take(5)).toEqual([0, 0, 0, 1, 1])
    pass(-2 * 3_600_000)
    expect(await take(4)).toEqual([0, 0, 0, 1])
  })

  it('allow a burst, and then each call as soon as it has refilled', async () => {
    expect(await take(5)).toEqual([0, 0, 0, 1, 1])
    pass(499)
    expect(await take(1)).toEqual([1])
    pass(1)
    expect(await take(2)).toEqual([0, 1])
    pass(1_000)
    expect(await take(3)).toEqual([0, 0, 1])
  })

  it('never accumulate more than the burst', async () => {
    await take(1)
    pass(3_600_000)
    expect(await take(4)).toEqual([0, 0, 0, 1])
  })

  it('are separate per name', async () => {
    expect(await take(4, 'a')).toEqual([0, 0, 0, 1])
    expect(await take(1, 'b')).toEqual([0])
  })

  it('return a wait after which a call is allowed, and no shorter one', async () => {
    const slow = { perSecond: 0.1, burst: 2 }
    const waits = [await limiter.take('a', slow), await limiter.take('a', slow)]
    expect([...waits, await limiter.take('a', slow)]).toEqual([0, 0, 10])
    pass(9_000)
    expect(await limiter.take('a', slow)).toBe(1)
    pass(1_000)
    expect(await limiter.take('a', slow)).toBe(0)
  })

  it('allow at most the burst and what refills in any period, and never less', async () => {
    const step = fc.tuple(fc.nat(3_000), fc.integer({ min: 1, max: 5 }))
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        run += 1
        let tokens = limit.burst
        for (const [ms, calls] of steps) {
          pass(ms)
          tokens = Math.min(limit.burst, tokens + (ms * limit.perSecond) / 1_000)
          for (let call = 0; call < calls; call++) {
            const allowed = (await limiter.take(`run ${run}`, limit)) === 0
            expect(allowed).toBe(tokens >= 1 - 1e-9)
            if (allowed) tokens -= 1
          }
        }
      }),
      { numRuns: where === 'in memory' ? 300 : 30 },
    )
  })

  it('are separate per limit: a change starts again', async () => {
    await take(4)
    expect(await limiter.take('a', { perSecond: 1, burst: 1 })).toBe(0)
    expect(await limiter.take('a', { perSecond: 0.3, burst: 1.5 })).toBe(0)
    expect(await limiter.take('a', { perSecond: 0.3, burst: 1.5 })).toBe(4)
  })

  it('allow fifty a second on average', async () => {
    const usual = { perSecond: 50, burst: 100 }
    let through = 0
    for (let second = 0; second < 10; second++) {
      for (let call = 0; call < 120; call++) {
        if ((await limiter.take('a', usual)) === 0) through += 1
      }
      pass(1_000)
    }
    // The burst, and what refilled in nine seconds.
    expect(through).toBe(550)
  })

  it('count concurrent calls', async () => {
    const waits = await Promise.all(Array.from({ length: 20 }, () => take(1)))
    expect(waits.flat().filter((wait) => wait === 0)).toHaveLength(3)
  })

  it('support waits of any length', async () => {
    const rare = { perSecond: 1e-9, burst: 1 }
    expect(await limiter.take('a', rare)).toBe(0)
    expect(await limiter.take('a', rare)).toBeGreaterThan(2_000_000)
  })
})

describe('counters in the database', () => {
  let shared: Awaited<ReturnType<typeof counters>>
  const limit = { perSecond: 0.001, burst: 2 }
  beforeEach(async () => {
    shared = await counters()
  })
  afterEach(() => shared.close())

  it('are shared by the gateways on it, and survive them', async () => {
    const [one, other] = [
      createRateLimiter({ counters: shared }),
      createRateLimiter({ counters: shared }),
    ]
    expect([await one.take('a', limit), await other.take('a', limit)]).toEqual([0, 0])
    expect(await one.take('a', limit)).toBeGreaterThan(0)
    expect(await createRateLimiter({ counters: shared }).take('a', limit)).toBeGreaterThan(0)
  })

  it('are not queried again for a name over its limit', async () => {
    let asked = 0
    const take: RateLimitCounters['take'] = (...given) => {
      asked += 1
      return shared.take(...given)
    }
    const limiter = createRateLimiter({ counters: { ...shared, take } })
    for (let time = 0; time < 50; time++) await limiter.take('flood', limit)
    expect(asked).toBe(3)
  })

  it('are deleted when they are full', async () => {
    const limiter = createRateLimiter({ counters: shared })
    await limiter.take('a', { perSecond: 1_000, burst: 1 })
    await limiter.take('b', limit)
    await shared.clear((Date.now() + 60_000) * 1_000)
    const rows = await shared.database.query('select key from rate_limits')
    expect(rows).toEqual([{ key: '2000000000/1000000000:b' }])
  })

  it('fall back to counters in memory if unavailable', async () => {
    const problems: unknown[] = []
    const gone = () => Promise.reject(new Error('gone'))
    const limiter = createRateLimiter({
      counters: { ...shared, take: gone },
      onStoreError: (error) => problems.push(error),
    })
    expect([await limiter.take('a', limit), await limiter.take('a', limit)]).toEqual([0, 0])
    expect(await limiter.take('a', limit)).toBeGreaterThan(0)
    expect(problems).toHaveLength(1)
  })
})

describe('gateway', () => {
  const key = { jsonrpc: '2.0', method: 'svc_getSecretsPublicKey', id: 'x' }

  it('responds 429 with Retry-After beyond the burst of a key, and serves other keys', async () => {
    const perKey = { perSecond: 0.01, burst: 2 }
    const gateway = await openTestGateway({ rateLimits: { perKey } })
    const status = async (which: 'rpc' | 'read') =>
      (await gateway.send(JSON.stringify(key), { key: gateway.keys[which] })).status
    expect([await status('rpc'), await status('rpc')]).toEqual([200, 200])
    const refused = await gateway.send(JSON.stringify(key))
    expect(refused.status).toBe(429)
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(90)
    expect(wait).toBeLessThanOrEqual(100)
    expect(await refused.json()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32005, message: 'Rate limit exceeded', data: { retry_after_seconds: wait } },
      id: null,
    })
    expect(await status('read')).toBe(200)
    await gateway.close()
  })

  it('counts each call of a batch', async () => {
    const gateway = await openTestGateway({ rateLimits: { perKey: { perSecond: 0.01, burst: 3 } } })
    const response = await gateway.send(JSON.stringify(new Array(5).fill(key)))
    expect(response.status).toBe(200)
    const answers = (await response.json()) as { error?: { code: number } }[]
    expect(answers.map(({ error }) => error?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      -32005,
      -32005,
    ])
    await gateway.close()
  })

  it('has a separate counter for a method that requires one', async () => {
    const perMethod = { getPrivacyPublicKey: { perSecond: 0.01, burst: 1 } }
    const gateway = await openTestGateway({
      rateLimits: { perKey: { perSecond: 1, burst: 9 }, perMethod },
    })
    expect((await gateway.call('getPrivacyPublicKey')).status).toBe(200)
    expect((await gateway.call('getPrivacyPublicKey')).status).toBe(429)
    expect((await gateway.call('getSecretsPublicKey')).status).toBe(200)
    await gateway.close()
  })
})
