import { expect, it } from 'vitest'
import { createSlots } from './slots.ts'
import { createTaskLoad } from './taskLoad.ts'

const never = new AbortController().signal

it('bounds slots in total and per key', async () => {
  const slots = createSlots({ total: 3, perKey: 2 })
  const order: string[] = []
  const enter = async (key: string, name: string) => {
    const release = await slots.take(key, never)
    order.push(name)
    return release
  }
  const first = await enter('a', 'a1')
  await enter('a', 'a2')
  const third = enter('a', 'a3')
  const other = await enter('b', 'b1')
  expect(order).toEqual(['a1', 'a2', 'b1'])
  expect({ taken: slots.taken, waiting: slots.waiting }).toEqual({ taken: 3, waiting: 1 })
  other()
  expect(slots.waiting).toBe(1)
  first()
  first()
  await third
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  expect({ taken: slots.taken, waiting: slots.waiting }).toEqual({ taken: 2, waiting: 0 })
})

it('removes aborted waiters', async () => {
  const slots = createSlots({ total: 1 })
  const release = await slots.take('a', never)
  const caller = new AbortController()
  const waiting = slots.take('b', caller.signal)
  caller.abort(new Error('too late'))
  await expect(waiting).rejects.toThrow('too late')
  await expect(slots.take('b', caller.signal)).rejects.toThrow('too late')
  release()
  expect({ taken: slots.taken, waiting: slots.waiting }).toEqual({ taken: 0, waiting: 0 })
})

it('rejects tasks beyond its limits, in total and per key, until some have ended', async () => {
  const load = createTaskLoad({ tasks: 3, tasksPerKey: 2, carried: 1, carriedPerKey: 1 })
  const [first, second] = [load.enter('a'), load.enter('a')]
  const refused = expect.objectContaining({ code: -32005, retryable: true })
  expect(() => load.enter('a')).toThrow(refused)
  const third = load.enter('b')
  expect(() => load.enter('c')).toThrow(refused)
  await first.turn(never)
  let turns = 0
  const waiting = second.turn(never).then(() => {
    turns += 1
  })
  await Promise.resolve()
  expect(turns).toBe(0)
  first.leave()
  await waiting
  expect(turns).toBe(1)
  second.leave()
  second.leave()
  third.leave()
  expect({ size: load.size, carried: load.carried }).toEqual({ size: 0, carried: 0 })
})

it('returns a slot that is granted after its task has ended', async () => {
  const load = createTaskLoad({ tasks: 2, tasksPerKey: 2, carried: 1, carriedPerKey: 1 })
  const [first, second] = [load.enter('a'), load.enter('a')]
  await first.turn(never)
  const late = second.turn(never)
  second.leave()
  first.leave()
  await late
  expect(load.carried).toBe(0)
})

it('serves keys in turn', async () => {
  const slots = createSlots({ total: 1 })
  let release = await slots.take('a', never)
  const order: string[] = []
  const all = ['a', 'a', 'a', 'b', 'c'].map(async (key) => {
    const give = await slots.take(key, never)
    order.push(key)
    release = give
  })
  for (let n = 0; n < all.length; n++) {
    release()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(all)
  expect(order).toEqual(['a', 'b', 'c', 'a', 'a'])
})

it('rejects waiters of the key with the most waiters, not the newcomer', async () => {
  const slots = createSlots({ total: 1, waiting: 3 })
  const release = await slots.take('a', never)
  const refused: string[] = []
  const take = (key: string) =>
    slots.take(key, never).then(
      (give) => give(),
      ({ name }: Error) => void refused.push(`${key} ${name}`),
    )
  const all = ['a', 'a', 'a', 'a', 'b'].map(take)
  await new Promise((resolve) => setImmediate(resolve))
  expect(refused).toEqual(['a SlotsFull', 'a SlotsFull'])
  release()
  await Promise.all(all)
})

it('paces slots past a few by the event loop, and grants the others immediately', async () => {
  let go: (() => void) | undefined
  const pace = {
    next: (begin: () => void) => {
      go = begin
    },
  }
  const slots = createSlots({ total: 10, paced: { past: 2, pace } })
  const taken = Array.from({ length: 5 }, () => slots.take('a', never))
  const [first] = await Promise.all(taken.slice(0, 2))
  expect({ taken: slots.taken, waiting: slots.waiting }).toEqual({ taken: 2, waiting: 3 })
  go?.()
  expect(slots.taken).toBe(3)
  first?.()
  expect(slots.taken).toBe(2)
  go?.()
  expect(slots.taken).toBe(3)
  go?.()
  expect({ taken: slots.taken, waiting: slots.waiting }).toEqual({ taken: 4, waiting: 0 })
})

it('reserves a few tasks for every key, however many others have', () => {
  const limits = { tasks: 3, tasksPerKey: 3, tasksReserved: 1, carried: 1, carriedPerKey: 1 }
  const load = createTaskLoad(limits)
  for (let n = 0; n < 3; n++) load.enter('a')
  expect(() => load.enter('a')).toThrow('Too many tasks')
  load.enter('b')
  expect(() => load.enter('b')).toThrow('Too many tasks')
  load.enter('c')
  load.enter('d')
  expect(() => load.enter('e')).toThrow('Too many tasks')
})
