import { expect, it } from 'vitest'
import { createKeyedSemaphore } from './keyedSemaphore.ts'

const never = new AbortController().signal

it('lets so many work, and no key more than its share', async () => {
  const slots = createKeyedSemaphore({ total: 3, perKey: 2 })
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

it('forgets who gives up waiting', async () => {
  const slots = createKeyedSemaphore({ total: 1 })
  const release = await slots.take('a', never)
  const caller = new AbortController()
  const waiting = slots.take('b', caller.signal)
  caller.abort(new Error('too late'))
  await expect(waiting).rejects.toThrow('too late')
  await expect(slots.take('b', caller.signal)).rejects.toThrow('too late')
  release()
  expect({ taken: slots.taken, waiting: slots.waiting }).toEqual({ taken: 0, waiting: 0 })
})

it('serves keys in turn', async () => {
  const slots = createKeyedSemaphore({ total: 1 })
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

it('refuses those of the key that has most waiting, not the newcomer', async () => {
  const slots = createKeyedSemaphore({ total: 1, waiting: 3 })
  const release = await slots.take('a', never)
  const refused: string[] = []
  const take = (key: string) =>
    slots.take(key, never).then(
      (give) => give(),
      ({ name }: Error) => void refused.push(`${key} ${name}`),
    )
  const all = ['a', 'a', 'a', 'a', 'b'].map(take)
  await new Promise((resolve) => setImmediate(resolve))
  expect(refused).toEqual(['a SemaphoreFull', 'a SemaphoreFull'])
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
  const slots = createKeyedSemaphore({ total: 10, paced: { past: 2, pace } })
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
