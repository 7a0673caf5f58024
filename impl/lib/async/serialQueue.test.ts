import fc from 'fast-check'
import { expect } from 'vitest'
import { property } from '../testing/property.ts'
import { createSerialQueue } from './serialQueue.ts'

/** How many turns each piece of work takes, and whether it fails. */
const pieces = fc.array(fc.record({ turns: fc.nat(4), fails: fc.boolean() }), { maxLength: 8 })

property([pieces])('runs one at a time, in order, whatever fails', async (works) => {
  const queue = createSerialQueue()
  const events: string[] = []
  const results = works.map(({ turns, fails }, at) =>
    queue.run(async () => {
      events.push(`begin ${at}`)
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      events.push(`end ${at}`)
      if (fails) throw new Error(String(at))
      return at
    }),
  )
  const settled = Promise.allSettled(results)
  await queue.idle()
  expect(events).toEqual(works.flatMap((_, at) => [`begin ${at}`, `end ${at}`]))
  expect((await settled).map(({ status }) => status)).toEqual(
    works.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
  )
})
