import fc from 'fast-check'
import { expect } from 'vitest'
import { property } from '../testing/property.ts'
import { createKeyedCounter } from './keyedCounter.ts'

const steps = fc.array(fc.record({ key: fc.constantFrom('a', 'b'), remove: fc.boolean() }))

property([steps])('counts what was added and not taken back', (todo) => {
  const counter = createKeyedCounter()
  const open: { key: string; remove: () => void }[] = []
  for (const { key, remove } of todo) {
    const oldest = remove ? open.shift() : undefined
    if (oldest === undefined) open.push({ key, remove: counter.add(key) })
    oldest?.remove()
    oldest?.remove()
    const keys = open.map((each) => each.key)
    const expected = ['a', 'b'].map((name) => keys.filter((each) => each === name).length)
    expect([counter.get('a'), counter.get('b')]).toEqual(expected)
    expect([...counter.entries()].map(([name]) => name).sort()).toEqual([...new Set(keys)].sort())
  }
})
