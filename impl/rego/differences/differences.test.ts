import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answerHere } from './answerHere.ts'
import { differences } from './catalogue.ts'
import type { Answer } from './difference.ts'
import { pageOf } from './page.ts'

test.each(differences.map((each) => [each.id, each] as const))('%s', (_, { program, here }) => {
  expect({
    service: answerHere(program, 'service'),
    'opa-1.2': answerHere(program, 'opa-1.2'),
  }).toEqual(here)
})

/** The engine at 0.9 has no codes of errors. */
const same = (ours: Answer, regorus: Answer): boolean =>
  regorus === 'error' ? ours.endsWith('_error') : ours === regorus

test('every entry differs from an engine, and has an id of its own', () => {
  expect(new Set(differences.map(({ id }) => id)).size).toBe(differences.length)
  const agreeing = differences.filter(
    ({ here: { service, 'opa-1.2': likeOpa }, opa, regorus }) =>
      service === likeOpa && likeOpa === opa && (regorus === undefined || same(service, regorus)),
  )
  expect(agreeing).toEqual([])
})

test('the page is up to date: npm run rego:differences', () => {
  const page = readFileSync(new URL('../DIFFERENCES.md', import.meta.url), 'utf8')
  expect(page).toBe(pageOf(differences))
})
