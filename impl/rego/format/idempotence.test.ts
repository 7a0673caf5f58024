import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numbersFrom } from '../../../scripts/rego/generate/choices.ts'
import { program } from '../../../scripts/rego/generate/program.ts'
import { moduleJson } from '../syntax/astJson.ts'
import { parseModule } from '../syntax/parser.ts'
import { Source } from '../syntax/source.ts'
import { formatModule } from './formatModule.ts'
import { policyFiles } from './policyFiles.fixture.ts'
import { parses, scattered } from './scattered.fixture.ts'

/** The syntax tree without comments, and the comments. */
function meaning(text: string): { readonly tree: string; readonly comments: readonly string[] } {
  const module = parseModule(new Source('a.rego', text))
  const tree = JSON.stringify(moduleJson({ ...module, comments: [] }), (_, value) =>
    typeof value === 'bigint' ? `${value}n` : value,
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
