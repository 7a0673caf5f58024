import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFairQueue } from './fairQueue.ts'

const owners = fc.constantFrom('a', 'b', 'c', 'd')

it('serves an owner before any other is served two more times (property)', () => {
  fc.assert(
    fc.property(fc.array(owners, { minLength: 1, maxLength: 60 }), (arrivals) => {
      const queue = createFairQueue<string>({ perOwner: 100, inAll: 100, onEvict: () => {} })
      for (const owner of arrivals) queue.push(owner, owner)
      const served = Array.from({ length: arrivals.length }, () => queue.shift() as string)
      expect([...served].sort()).toEqual([...arrivals].sort())
      // Until its last item is served, no owner waits longer than one round of the others.
      for (const owner of new Set(arrivals)) {
        const turns = served.flatMap((each, at) => (each === owner ? [at] : []))
        turns.reduce((before, at) => {
          const between = served.slice(before + 1, at)
          expect(new Set(between).size).toBe(between.length)
          return at
        }, -1)
      }
      expect(queue.shift()).toBeUndefined()
    }),
  )
})

it('never evicts an item of an owner that has no more items than the new one (property)', () => {
  fc.assert(
    fc.property(
      fc.array(owners, { maxLength: 80 }),
      fc.integer({ min: 1, max: 10 }),
      (all, inAll) => {
        const waiting = new Map<string, number>()
        const add = (owner: string, count: number) =>
          waiting.set(owner, (waiting.get(owner) ?? 0) + count)
        const queue = createFairQueue<string>({
          perOwner: 100,
          inAll,
          onEvict: (owner) => add(owner, -1),
        })
        for (const owner of all) {
          const before = new Map(waiting)
          if (queue.push(owner, owner)) add(owner, 1)
          for (const [other, count] of before) {
            if ((waiting.get(other) ?? 0) >= count) continue
            expect(count).toBeGreaterThan((before.get(owner) ?? 0) + 1)
          }
          expect(queue.size).toBeLessThanOrEqual(inAll)
          expect(queue.size).toBe([...waiting.values()].reduce((sum, count) => sum + count, 0))
        }
      },
    ),
  )
})
