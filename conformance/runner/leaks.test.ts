import { expect, test } from 'vitest'
import { canaryOf } from '../core/canary.ts'
import { placeOf } from './leaks.ts'

const secret = canaryOf('a run', 'leaks')
const placeIn = (value: unknown, headers = {}) =>
  placeOf({ body: JSON.stringify(value), headers }, secret)

test('a leak is named by its JSON path, its header, or the body', () => {
  expect(placeIn({ error: { data: [1, { text: `it is ${secret}` }] } })).toBe(
    '$.error.data[1].text',
  )
  expect(placeIn({ a: { [secret]: 1 } })).toBe('the name of a member of $.a')
  expect(placeIn({}, { 'x-trace': secret })).toBe('header x-trace')
  expect(placeOf({ body: `<p>${secret}</p>` }, secret)).toBe('the body')
  expect(placeIn({ a: secret.slice(1) })).toBeUndefined()
})
