import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../store/openStore.ts'
import { openTestStore } from '../store/testing/openTestStore.ts'
import { createGateways } from './testing/gateways.ts'

const owner = `0x${'aa'.repeat(20)}` as const
const victim = { keyId: 'victim', owners: [owner] }
const colleague = { keyId: 'colleague', owners: [owner] }
const stranger = { keyId: 'stranger', owners: [] }

describe('a known intent that a stranger submits (decision T4)', () => {
  let store: Store
  beforeAll(async () => {
    store = await openTestStore()
  })
  afterAll(() => store.close())

  it('does not keep its owner out, and both tasks are posted', async () => {
    const network = createGateways()
    const gateway = await network.start({ store, postOnChain: true })
    const params = network.params()
    // The stranger repeats it without a pause, several times at once, until the owner has its result.
    const attack = new AbortController()
    const repeat = async () => {
      while (!attack.signal.aborted) {
        await gateway.tasks.createTask(params, stranger)
        await turn()
      }
    }
    const attacks = [repeat(), repeat(), repeat()]
    const inProgress = async () =>
      (await store.tasks.listUnfinished()).some(({ apiKeyId }) => apiKeyId === 'stranger')
    try {
      for (let tries = 0; tries < 5; tries++) {
        while (!(await inProgress())) await turn()
        const result = await gateway.tasks.createTask(params, victim)
        expect(result).toMatchObject({ status: 'success' })
      }
    } finally {
      attack.abort()
      await Promise.all(attacks)
    }
    const tasks = await store.database.query<{ key: string; nonce: number }>(
      'select api_key_id as key, nonce from tasks order by nonce',
    )
    expect(tasks.map(({ nonce }) => nonce)).toEqual([...tasks.keys()])
    expect(tasks.filter(({ key }) => key === 'victim')).toHaveLength(5)
    await expect.poll(() => network.posted.length).toBe(tasks.length)
    await gateway.tasks.close()
  })

  it('stays a duplicate for a key with a common owner', async () => {
    const gates: (() => void)[] = []
    const network = createGateways()
    const gateway = await network.start({
      store,
      operator: (operator) => ({
        ...operator,
        async collectData(...request) {
          await new Promise<void>((resolve) => gates.push(resolve))
          return await operator.collectData(...request)
        },
      }),
    })
    const params = network.params()
    const first = gateway.tasks.createTask(params, victim)
    await expect.poll(() => gates.length).toBe(3)
    const again = await gateway.tasks.createTask(params, colleague)
    expect(again.error).toMatch(/^TaskAlreadyExists/)
    for (const open of gates) open()
    expect(await first).toMatchObject({ status: 'success' })
    await gateway.tasks.close()
  })
})
