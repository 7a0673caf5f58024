import { expect, test } from 'vitest'
import type { CheckFinished } from '../core/events.ts'
import { normalised } from './cause.ts'
import { failureGroups } from './failureGroups.ts'

const failed = (id: string, change: Partial<CheckFinished>): CheckFinished => ({
  type: 'check-finished',
  id,
  title: id,
  section: '4.2',
  clauses: ['4.2-01'],
  level: 'must',
  verdict: 'failed',
  ms: 1,
  exchanges: 1,
  refusals: 0,
  at: 0,
  evidence: [],
  evidenceDropped: 0,
  reason: 'the response is wrong',
  ...change,
})

test('77 checks that fail on the same error of an oracle are one group', () => {
  const hex = (i: number) => `0x${String(i).padStart(40, 'a')}`
  const results = Array.from({ length: 77 }, (_, i) =>
    failed(`rpc.check.${i}`, {
      // What a check expects instead, and how it says so, is its own.
      reason: i % 2 === 0 ? 'the HTTP status is wrong' : `the result of rpc.check.${i} is wrong`,
      expected: i % 3 === 0 ? 'a result' : '{"success":true}',
      observed: `{"code":-32007,"message":"Oracle ${hex(i)} failed after ${i + 1} ms: cannot open db"}`,
    }),
  )
  const other = failed('rpc.other', { observed: '{"code":-32602,"message":"Invalid"}' })
  const groups = failureGroups([other, ...results])
  expect(groups.map((group) => [group.cause, group.results.length])).toEqual([
    ['the target answered -32007 Oracle <hex> failed after <n> ms: cannot open db', 77],
    ['the target answered -32602 Invalid', 1],
  ])
  expect(groups[0]!.results.map(({ id }) => id)).toEqual(results.map(({ id }) => id))
})

test('findings are the same only if expected and observed are, apart from values of the check', () => {
  const of = (expected: string, observed: string) => failed('rpc.x', { expected, observed })
  const count = (...results: readonly CheckFinished[]) => failureGroups(results).length
  expect(
    count(of('0 retries', '2 retries at +104 ms'), of('0 retries', '3 retries at +99 ms')),
  ).toBe(1)
  expect(count(of('0 retries', '2 retries'), of('0 retries', 'none'))).toBe(2)
  expect(count(of('200', 'HTTP 500: '), of('200', 'HTTP 404: '))).toBe(2)
  expect(count(of('-32602', 'x'), of('-32601', 'x'))).toBe(2)
})

test.each([
  ['task 0x5eed42 of 0xAB...cd', 'task <hex> of <hex>'],
  ['id f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'id <id>'],
  ['at 2026-11-21T03:00:04.123Z', 'at <time>'],
  ['http://127.0.0.1:8600/rpc and 127.0.0.1:1', '<url> and <address>'],
  ['HTTP 404: {"code":-32007,"n":12}', 'HTTP 404: {"code":-32007,"n":<n>}'],
  ['rpc.a.b of 12.5 s', '<check> of <n> s'],
])('%s is grouped as %s', (text, expected) => {
  expect(normalised(text, 'rpc.a.b')).toBe(expected)
})
