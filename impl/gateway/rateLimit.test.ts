import { describe, expect, it } from 'vitest'
import { openTestGateway } from './gateway.fixture.ts'
import { createRateLimiter } from './rateLimit.ts'

describe('bucket', () => {
  const limit = { perSecond: 2, burst: 3 }
  const setup = () => {
    let now = 0
    const limiter = createRateLimiter(() => now)
    return { take: (name = 'a') => limiter.take(name, limit), pass: (ms: number) => (now += ms) }
  }

  it('lets a burst through, then one each interval', () => {
    const { take, pass } = setup()
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 1])
    pass(499)
    expect(take()).toBe(1)
    pass(1)
    expect([take(), take()]).toEqual([0, 1])
  })

  it('never holds more than the burst', () => {
    const { take, pass } = setup()
    take()
    pass(3_600_000)
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 1])
  })

  it('is one for each name', () => {
    const { take } = setup()
    expect([take('a'), take('a'), take('a'), take('a'), take('b')]).toEqual([0, 0, 0, 1, 0])
  })

  it('says how long to wait', () => {
    const limiter = createRateLimiter(() => 0)
    const slow = { perSecond: 0.1, burst: 1 }
    expect([limiter.take('a', slow), limiter.take('a', slow)]).toEqual([0, 10])
  })

  it('stands still when the clock goes back', () => {
    const { take, pass } = setup()
    take()
    pass(-10_000)
    expect([take(), take(), take()]).toEqual([0, 0, 1])
  })
})

describe('gateway', () => {
  const key = { jsonrpc: '2.0', method: 'svc_getSecretsPublicKey', id: 'x' }

  it('answers 429 with Retry-After past the burst of a key, and serves other keys', async () => {
    const gateway = await openTestGateway({ rateLimits: { perKey: { perSecond: 1, burst: 2 } } })
    const status = async (which: 'rpc' | 'read') =>
      (await gateway.send(JSON.stringify(key), { key: gateway.keys[which] })).status
    expect([await status('rpc'), await status('rpc')]).toEqual([200, 200])
    const refused = await gateway.send(JSON.stringify(key))
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32005, message: 'Rate limit exceeded', data: { retry_after_seconds: 1 } },
      id: null,
    })
    expect(await status('read')).toBe(200)
    await gateway.close()
  })

  it('counts each call of a batch', async () => {
    const gateway = await openTestGateway({ rateLimits: { perKey: { perSecond: 1, burst: 3 } } })
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

  it('has a bucket of its own for a method that asks for one', async () => {
    const perMethod = { getPrivacyPublicKey: { perSecond: 1, burst: 1 } }
    const gateway = await openTestGateway({
      rateLimits: { perKey: { perSecond: 1, burst: 9 }, perMethod },
    })
    expect((await gateway.call('getPrivacyPublicKey')).status).toBe(200)
    expect((await gateway.call('getPrivacyPublicKey')).status).toBe(429)
    expect((await gateway.call('getSecretsPublicKey')).status).toBe(200)
    await gateway.close()
  })
})
