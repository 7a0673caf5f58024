import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHeldLease } from './heldLease.ts'

/** One lease on simulated time. */
function leases() {
  const held: { by: string | undefined; until: number; asked: number; broken: boolean } = {
    by: undefined,
    until: 0,
    asked: 0,
    broken: false,
  }
  return {
    held,
    async take(_: string, holder: string, ms: number) {
      held.asked += 1
      if (held.broken) throw new Error('the database is away')
      if (held.by !== undefined && held.by !== holder && held.until > performance.now())
        return false
      Object.assign(held, { by: holder, until: performance.now() + ms })
      return true
    },
    async release(_: string, holder: string) {
      if (held.by === holder) held.by = undefined
    },
  }
}

describe('the lease of an indexer', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const keeper = (of: ReturnType<typeof leases>, holder: string) =>
    createHeldLease({ leases: of, name: 'indexer/1', holder, ms: 1_000 })

  it('is renewed while its holder waits, so that another never gets it', async () => {
    const store = leases()
    const [one, other] = [keeper(store, 'one'), keeper(store, 'other')]
    expect(await one.take()).toBe(true)
    for (let turn = 0; turn < 20; turn += 1) {
      await vi.advanceTimersByTimeAsync(250)
      expect(await other.take()).toBe(false)
    }
    await one.release()
    expect(await other.take()).toBe(true)
    expect(await one.take()).toBe(false)
    await other.release()
  })

  it('is not requested again while most of its time remains', async () => {
    const store = leases()
    const one = keeper(store, 'one')
    for (let turn = 0; turn < 100; turn += 1) {
      await one.take()
      await vi.advanceTimersByTimeAsync(1)
    }
    expect(store.held.asked).toBe(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(await one.take()).toBe(true)
    expect(store.held.asked).toBe(2)
    await one.release()
  })

  it('can be taken by another when its holder could not renew it', async () => {
    const store = leases()
    const [one, other] = [keeper(store, 'one'), keeper(store, 'other')]
    expect(await one.take()).toBe(true)
    store.held.broken = true
    await vi.advanceTimersByTimeAsync(2_000)
    await expect(one.take()).rejects.toThrow('away')
    store.held.broken = false
    expect(await other.take()).toBe(true)
    expect(await one.take()).toBe(false)
    await Promise.all([one.release(), other.release()])
  })
})
