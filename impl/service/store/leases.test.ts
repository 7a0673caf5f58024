import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines } from './engines.fixture.ts'
import type { Store } from './openStore.ts'
import { openEmptyStore } from './testing/openEmptyStore.ts'

describe.each(engines)('leases on the $name engine', ({ url }) => {
  let store: Store
  beforeAll(async () => {
    // The process clock must have no effect.
    store = await openEmptyStore(url, { clock: () => 0 })
  })
  afterAll(() => store.close())
  beforeEach(() => store.database.execute('truncate leases'))
  const long = 60_000

  it('have one holder, which can renew and release them', async () => {
    const { leases } = store
    expect(await leases.take('poster', 'a', long)).toBe(true)
    expect(await leases.take('poster', 'a', long)).toBe(true)
    expect(await leases.take('poster', 'b', long)).toBe(false)
    expect(await leases.take('another', 'b', long)).toBe(true)
    await leases.release('poster', 'b')
    expect(await leases.take('poster', 'b', long)).toBe(false)
    await leases.release('poster', 'a')
    expect(await leases.take('poster', 'b', long)).toBe(true)
  })

  it('expire', async () => {
    const { leases } = store
    expect(await leases.take('poster', 'a', 20)).toBe(true)
    await pause(40)
    expect(await leases.take('poster', 'b', long)).toBe(true)
    // The former holder can neither renew nor release it.
    expect(await leases.take('poster', 'a', long)).toBe(false)
    await leases.release('poster', 'a')
    expect(await leases.take('poster', 'a', long)).toBe(false)
  })

  it('of a process that died before the clock of the database went back are free at once', async () => {
    const { leases } = store
    expect(await leases.take('poster', 'dead', long)).toBe(true)
    // As rows look after a jump of two hours.
    await store.database.execute("update leases set until = until + interval '2 hours'")
    expect(await leases.take('poster', 'a', long)).toBe(true)
    expect(await leases.take('poster', 'b', long)).toBe(false)
  })

  it('go to one of many concurrent callers', async () => {
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, at) => store.leases.take('poster', `${at}`, long)),
    )
    expect(taken.filter(Boolean)).toHaveLength(1)
  })
})
