import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checksByFile } from '../checks/catalogue.ts'
import { clauses } from '../register/register.ts'
import { byFile, withClauseComments } from './clauseComments.ts'

const texts = new Map(clauses.map(({ id, text }) => [id, text]))
const textOf = (id: string) => texts.get(id)!

test.each([...byFile(checksByFile)])(
  '%s has the text of the clauses above each check',
  (file, checks) => {
    const source = readFileSync(new URL(`../checks/${file}`, import.meta.url), 'utf8')
    const expected = withClauseComments(source, checks, textOf)
    expect(source === expected, 'run npm run spec').toBe(true)
    expect(source).toContain(`// ${checks[0]!.clauses[0]}: `)
  },
)

const source = `const rows = [
  // Rows of a table.
  ['a.first', 1],
  ['a.second', 2],
  {
    id: 'a.third',
  },
]`
const checks = [
  { id: 'a.first', clauses: ['1-01'] },
  { id: 'a.second', clauses: ['1-01'] },
  { id: 'a.third', clauses: ['1-01', '1-02'] },
]
const commented = `const rows = [
  // Rows of a table.
  // 1-01: One.
  ['a.first', 1],
  ['a.second', 2],
  {
    // 1-01: One.
    // 1-02: ${'long '.repeat(16)}long
    //   text.
    id: 'a.third',
  },
]`
const example = (one: string) => (id: string) =>
  id === '1-01' ? one : `${'long '.repeat(17)}text.`

test('near rows with the same clauses have the text above the first', () => {
  expect(withClauseComments(source, checks, example('One.'))).toBe(commented)
})

test('a changed text replaces the earlier one, and nothing else', () => {
  const once = withClauseComments(source, checks, example(`Another ${'long '.repeat(40)}text.`))
  expect(withClauseComments(once, checks, example('One.'))).toBe(commented)
  expect(withClauseComments(commented, [], example('One.'))).toBe(source)
})
