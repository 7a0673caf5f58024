import { afterEach, describe, expect, it } from 'vitest'
import { createStartScheduler } from '../scheduling/startScheduler.ts'
import { openTestGateway } from './gateway.fixture.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const part of open.splice(0)) await part.close()
})

const task = (n: number) => ({
  policy_client: `0x${'11'.repeat(20)}`,
  intent: {
    from: `0x${'22'.repeat(20)}`,
    to: `0x${'33'.repeat(20)}`,
    value: `0x${n.toString(16)}`,
    data: '0x',
    chain_id: '0x1',
    function_signature: '0x',
  },
})

/**
 * A gateway whose expensive calls start under control of the test, and the order in which calls
 * end.
 */
async function start() {
  let go: (() => void) | undefined
  const pace = {
    next: (begin: () => void) => {
      go = begin
    },
  }
  const gateway = await openTestGateway({
    starts: createStartScheduler({ pace, perOwner: 2_000, inAll: 8_000 }),
  })
  open.push(gateway)
  const order: string[] = []
  const call = async (name: string, method: string, params: unknown, key: string) => {
    const { status } = await gateway.call(method, params, { key })
    order.push(status === 200 ? name : `${name} ${status}`)
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve, 20))
  return {
    keys: gateway.keys,
    order,
    call,
    settle,
    async begin(count: number) {
      for (let n = 0; n < count; n++) {
        await settle()
        const begin = go
        go = undefined
        begin?.()
      }
      await settle()
    },
  }
}

describe('while one key creates 300 tasks', () => {
  it('a cheap call of another key is answered before any of them starts', async () => {
    const { keys, call, order, begin } = await start()
    const tasks = Array.from({ length: 300 }, (_, n) => call('a', 'createTask', task(n), keys.rpc))
    await Promise.all([
      call('secrets key', 'getSecretsPublicKey', undefined, keys.read),
      call('privacy key', 'getPrivacyPublicKey', undefined, keys.read),
      call('discover', 'rpc.discover', undefined, keys.read).catch(() => {}),
    ])
    expect(order).toEqual(expect.arrayContaining(['secrets key', 'privacy key']))
    expect(order).not.toContain('a')
    await begin(3)
    expect(order.filter((each) => each === 'a')).toHaveLength(3)
    void Promise.allSettled(tasks)
  })

  it('a task of another key starts after one of them', async () => {
    const { keys, call, order, begin } = await start()
    const many = Array.from({ length: 300 }, (_, n) => call('a', 'createTask', task(n), keys.rpc))
    const other = call('b', 'createTask', task(1), keys.read)
    await begin(3)
    expect(order).toContain('b')
    expect(order.length).toBeLessThanOrEqual(3)
    void Promise.allSettled([...many, other])
  })
})
