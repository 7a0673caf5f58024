import { clauses } from 'polgate-conformance/register/register.ts'
import { expect, test } from 'vitest'
import { variants } from './catalogue.ts'

const named = new Set(variants.flatMap((variant) => variant.clauses ?? []))

test('every open point that is visible from outside has a gateway with another choice', () => {
  const visible = clauses.filter(({ open, noCheck }) => open && noCheck === undefined)
  const missing = visible.filter(({ id }) => !named.has(id))
  expect(missing.map(({ id, text }) => `${id} ${text}`)).toEqual([])
})

test('variants name clauses of the register', () => {
  const known = new Set(clauses.map(({ id }) => id))
  expect([...named].filter((id) => !known.has(id))).toEqual([])
})
