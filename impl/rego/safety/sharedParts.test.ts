import { afterAll, beforeAll, expect, test } from 'vitest'
import { Trials } from './trials.ts'

/**
 * Values that share their parts: forty steps make an array of 2^40 leaves that takes no room.
 * Whatever looks at all of them has to be stopped by the deadline or the bound on memory.
 */
const shared = (name: string): string =>
  [
    `${name}0 := [1]`,
    ...Array.from({ length: 40 }, (_, i) => `${name}${i + 1} := [${name}${i}, ${name}${i}]`),
  ].join('\n')

const rule = (lines: string): string => `package a\n\np := x if {\n${lines}\n}\n`

const policies: readonly (readonly [string, string])[] = [
  ['==', rule(`${shared('a')}\n${shared('b')}\nx := a40 == b40`)],
  ['<', rule(`${shared('a')}\n${shared('b')}\nx := a40 < b40`)],
  ['sort', rule(`${shared('a')}\n${shared('b')}\nx := count(sort([a40, b40]))`)],
  ['max', rule(`${shared('a')}\n${shared('b')}\nx := count(max([a40, b40]))`)],
  ['a member of a set', rule(`${shared('a')}\nx := count({a40})`)],
  ['a key of an object', rule(`${shared('a')}\nx := count({a40: 1})`)],
  ['in', rule(`${shared('a')}\n${shared('b')}\nx := a40 in [b40]`)],
  ['a pattern', rule(`${shared('a')}\n${shared('b')}\n[a40] = [b40]\nx := 1`)],
  [
    'an argument',
    `${rule(`${shared('a')}\nx := f(a40)`)}\nf(y) := 1 if {\n${shared('b')}\ny == b40\n}\n`,
  ],
  [
    'two values of one rule',
    `${rule(`${shared('a')}\nx := a40`)}\np := y if {\n${shared('b')}\ny := b40\n}\n`,
  ],
  ['set difference', rule(`${shared('a')}\nx := {a40} - {a40}`)],
  ['sprintf', rule(`${shared('a')}\nx := sprintf("%v", [a40])`)],
  ['print', rule(`${shared('a')}\nprint(a40)\nx := 1`)],
  ['json.marshal', rule(`${shared('a')}\nx := json.marshal(a40)`)],
  ['yaml.marshal', rule(`${shared('a')}\nx := yaml.marshal(a40)`)],
  [
    'json.match_schema',
    rule(`${shared('a')}\nx := json.match_schema({"a": a40}, {"enum": [a40]})`),
  ],
  ['walk', rule(`${shared('a')}\nx := count([1 | walk(a40, [_, 1])])`)],
  ['the answer', rule(`${shared('a')}\nx := a40`)],
]

let trials: Trials
beforeAll(() => {
  trials = new Trials({ timeout: 20_000, heapMb: 512 })
})
afterAll(() => trials.close())

const limits = { deadlineMs: 300, steps: 1e9, memoryBytes: 32 * 1024 * 1024 }

test.each(policies)('%s ends at a limit', async (_, source) => {
  const ending = await trials.run({
    modules: [{ name: 'a.rego', source }],
    query: 'data.a.p',
    limits,
  })
  expect(ending).toMatchObject({ kind: 'limit' })
})

test('a result within the limit is printed', async () => {
  const ending = await trials.run({
    modules: [{ name: 'a.rego', source: rule(`${shared('a')}\nx := a8`) }],
    query: 'data.a.p',
    limits,
  })
  expect(ending).toMatchObject({ kind: 'value' })
})
