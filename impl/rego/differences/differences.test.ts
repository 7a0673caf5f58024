import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answerHere } from './answerHere.ts'
import { differences } from './catalogue.ts'
import { pageOf } from './page.ts'

test.each(differences.map((each) => [each.id, each] as const))('%s', (_, { program, here }) => {
  expect({
    service: answerHere(program, 'service'),
    'opa-1.2': answerHere(program, 'opa-1.2'),
  }).toEqual(here)
})

test('every entry differs from an engine, and has an id of its own', () => {
  expect(new Set(differences.map(({ id }) => id)).size).toBe(differences.length)
  const agreeing = differences.filter(
    ({ here, opa, regorus = opa }) =>
      here.service === opa && here['opa-1.2'] === opa && regorus === opa,
  )
  expect(agreeing).toEqual([])
})

test('the page is up to date: npm run rego:differences', () => {
  const page = readFileSync(new URL('../DIFFERENCES.md', import.meta.url), 'utf8')
  expect(page).toBe(pageOf(differences))
})
