import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createEngine } from '../engine.ts'

/**
 * V8 keeps the object around some allocations until the next full collection: a function that is assigned to
 * a member where it is written, and an object that is copied with additional members. A process that compiles
 * many policies would collect all of them in full, and spend a quarter of its time on it.
 */
const source = `package p

import data.lists

default allow := false

allow if {
	some owner, limit in lists.owners
	limit > 0
	text := lower(owner)
	every part in split(text, ".") { part != "" }
	known(text)
}

known(name) := found if {
	found := {entry | some entry in lists.names; entry.name == name}
	count(found) > 0
} else := {each.name: 1 | each := lists.names[_]}

deny contains reason if {
	not allow with input.name as "x"
	[reason, _] := ["no", input.name]
}

titles[name] := $"{name}: {input.name}" if some name in lists.names
`
const data = { lists: { owners: { 'a.b': 1 }, names: [{ name: 'a.b' }] } }

const evaluate = () =>
  createEngine({ modules: [{ name: 'p.rego', source }], data, strict: false })
    .prepare('data.p')
    .evaluate({ input: { name: 'x' } })

it('leaves nothing of an engine to a full collection', () => {
  setFlagsFromString('--expose-gc')
  // Optimized code is kept as well, and V8 decides when it makes some.
  setFlagsFromString('--no-opt')
  setFlagsFromString('--no-maglev')
  const collect: (options: { type: 'minor' }) => void = runInNewContext('gc')
  const heap = () =>
    getHeapSpaceStatistics()
      .filter(({ space_name }) => space_name === 'new_space' || space_name === 'old_space')
      .reduce((sum, { space_used_size }) => sum + space_used_size, 0)
  const repeat = (times: number, run: () => unknown) => {
    for (let i = 0; i < times; i++) run()
  }
  repeat(20, evaluate)
  const kept = Array.from({ length: 21 }, () => {
    const before = heap()
    repeat(10, evaluate)
    // An object is moved twice before it counts as old.
    repeat(3, () => collect({ type: 'minor' }))
    return heap() - before
  })
  expect(kept.sort((a, b) => a - b)[10]).toBeLessThan(5_000)
})
