import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { formatModule } from 'polgate-rego/format/formatModule.ts'
import { moduleJson } from 'polgate-rego/syntax/astJson.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source } from 'polgate-rego/syntax/source.ts'
import { expect, test } from 'vitest'
import { Choices, numbersFrom } from './generate/choices.ts'
import { mutate } from './generate/mutate.ts'
import { program } from './generate/program.ts'
import { policyFiles } from './policyFiles.ts'
import { parses, scattered } from './scattered.ts'

/** The syntax tree without comments and without the operators of heads, and the comments. */
function meaning(text: string): { readonly tree: string; readonly comments: readonly string[] } {
  const module = parseModule(new Source('a.rego', text))
  const tree = JSON.stringify(moduleJson({ ...module, comments: [] }), (key, value) =>
    key === 'assign' ? undefined : typeof value === 'bigint' ? `${value}n` : value,
  )
  return { tree, comments: module.comments.map((each) => each.text.trim()).sort() }
}

/** The laws of a formatter. */
function check(text: string): void {
  const once = formatModule(new Source('a.rego', text))
  expect(formatModule(new Source('a.rego', once))).toBe(once)
  expect(meaning(once)).toEqual(meaning(text))
}

test.each(policyFiles())('%s keeps its meaning, is stable, and is formatted', (file) => {
  const text = readFileSync(file, 'utf8')
  check(text)
  expect(formatModule(new Source(file, text))).toBe(text)
})

test('so do generated modules', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      check(program(numbersFrom(seed, 60), { pkg: 'a', wild: true }))
    }),
    { numRuns: 60 },
  )
})

test('and modules with line ends and comments anywhere', () => {
  let tried = 0
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const plain = program(numbersFrom(seed, 60), { pkg: 'a', wild: true })
      const text = scattered(plain, numbersFrom(seed + 1, 499))
      if (!parses(text)) return
      tried++
      check(text)
    }),
    { numRuns: 200 },
  )
  expect(tried).toBeGreaterThan(150)
})

test('and modules that were changed at random, where they still parse', () => {
  const texts = policyFiles()
    .map((file) => readFileSync(file, 'utf8'))
    .filter((text) => text.length < 5_000)
  let tried = 0
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const choices = new Choices(numbersFrom(seed, 60))
      const text = mutate(choices, choices.one(texts), choices.one(texts))
      if (!parses(text)) return
      tried++
      check(text)
    }),
    { numRuns: 200 },
  )
  expect(tried).toBeGreaterThan(10)
})
