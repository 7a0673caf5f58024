import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, test } from 'vitest'
import type { CheckFinished } from '../core/events.ts'
import { deviationOf } from './deviation.ts'
import { failureGroups } from './failureGroups.ts'
import { normalised } from './normalised.ts'

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
    ['answered -32007 Oracle <hex> failed after <n> ms: cannot open db', 77],
    ['answered -32602 Invalid', 1],
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

describe('one cause across methods, parameters and clauses', () => {
  test('an error code where another one was expected, however a check says so', () => {
    const [expected, code] = ['-32602, in an error object', '"code":-32603']
    const results = [
      failed('rpc.a', { expected, observed: `{${code},"message":"intent is required"}` }),
      failed('rpc.b', { expected, observed: `{${code},"message":"url must be a string"}` }),
      failed('rpc.c', { expected: '-32602', observed: '-32603 Invalid request format' }),
      failed('ws.d', {
        expected: '{"type":"error","code":-32602,"message":"string"}',
        observed: '{"type":"error","code":-32603,"message":"string"}',
        clauses: ['6.1-17'],
      }),
      // Another code, and another expectation.
      failed('rpc.e', { expected, observed: '{"code":-32600,"message":"Invalid request"}' }),
      failed('rpc.f', { expected: '-32003', observed: '{"code":-32603,"message":"no"}' }),
    ]
    const [group, ...others] = failureGroups(results)
    expect(group).toMatchObject({
      cause: 'error code -32603 instead of -32602',
      kind: 'code',
      clauses: ['4.2-01', '6.1-17'],
    })
    expect(group!.results.map(({ id }) => id)).toEqual(['rpc.a', 'rpc.b', 'rpc.c', 'ws.d'])
    expect(others.map(({ cause }) => cause)).toEqual([
      'error code -32600 instead of -32602',
      'error code -32603 instead of -32003',
    ])
  })

  test('the name of the method in the text of a check', () => {
    const of = (method: string, observed: string) =>
      failed(`rpc.${method}.status`, {
        reason: `the status of svc_${method} is wrong`,
        expected: 'below 500',
        observed,
      })
    const [group, other] = failureGroups([
      of('createTask', '500'),
      of('sendTask', '500'),
      of('sendTask', 'none'),
    ])
    expect(group!.results).toHaveLength(2)
    expect(group!.cause).toBe('the status of svc_createTask is wrong: 500 instead of below 500')
    expect(other!.results).toHaveLength(1)
  })

  const members = (id: string, clause: string, expected: unknown, observed: unknown) =>
    failed(id, {
      clauses: [clause],
      expected: JSON.stringify(expected),
      observed: JSON.stringify(observed),
    })
  test('members that differ: with the same values, or in checks of the same clause', () => {
    const groups = failureGroups([
      members('rpc.a', '2.5-01', { id: 1, at: 5 }, { id: 1, at: '5' }),
      members('rpc.b', '2.9-01', { at: 5, of: 'b' }, { at: '5', of: 'b' }),
      members('rpc.c', '2.9-01', { at: 777 }, { at: 'now' }),
      members('rpc.d', '2.9-01', { at: 5 }, {}),
      members('rpc.e', '2.8-01', { at: 3 }, { at: 'never' }),
      members('rpc.f', '2.8-01', [{ at: 1 }, { at: 2 }], [{}, { at: 2, x: 1 }]),
    ])
    expect(groups.map(({ cause, results }) => [cause, results.map(({ id }) => id).join()])).toEqual(
      [
        ['the response is wrong: $.at is string instead of number', 'rpc.a,rpc.b,rpc.c'],
        ['the response is wrong: $.at is missing', 'rpc.d'],
        ['the response is wrong: $.at is string instead of number', 'rpc.e'],
        ['the response is wrong: $[].at is missing, $[].x is not expected', 'rpc.f'],
      ],
    )
  })
})

test('checks without a clause have nothing in common but what they found', () => {
  const own = (id: string, at: number) =>
    failed(id, { clauses: [], expected: `{"at":${at}}`, observed: `{"at":"${'x'.repeat(at)}"}` })
  expect(failureGroups([own('acme.a', 1), own('acme.b', 2)])).toHaveLength(2)
  expect(failureGroups([own('acme.a', 1), own('acme.b', 1)])).toHaveLength(1)
})

test('required checks are first, then what many checks have', () => {
  const of = (id: string, level: CheckFinished['level'], reason: string) =>
    failed(id, { level, reason })
  const groups = failureGroups([
    of('a', 'may', 'x'),
    of('b', 'may', 'x'),
    of('c', 'should', 'y'),
    of('d', 'must', 'z'),
    of('e', 'may', 'w'),
    of('f', 'may', 'v'),
    of('g', 'must', 'v'),
    { ...of('h', 'must', 'z'), verdict: 'passed' },
    of('i', 'must', 'u'),
    of('j', 'must', 'u'),
  ])
  expect(groups.map(({ cause, level, results }) => `${level} ${results.length} ${cause}`)).toEqual([
    'must 2 v',
    'must 2 u',
    'must 1 z',
    'should 1 y',
    'may 2 x',
    'may 1 w',
  ])
})

/** Few values, so that many of them are the same. */
const anyFailure = fc.record({
  clauses: fc.constantFrom(['4.2-01'], ['2.5-01', '4.2-01'], []),
  level: fc.constantFrom('must' as const, 'may' as const),
  reason: fc.constantFrom('the result is wrong', 'the status of createTask is wrong'),
  expected: fc.constantFrom('-32602', '{"a":1}', '{"a":2,"b":[1]}', 'a result', '['),
  observed: fc.constantFrom('-32603', '{"a":"1"}', '{"b":[]}', '{"code":-1,"message":"m"}', '"'),
})
property([fc.array(anyFailure, { maxLength: 25 }), fc.nat()], { numRuns: 100 })(
  'each failure is in one group, whatever the order of the results',
  (some, by) => {
    const results = some.map((each, i) => failed(`rpc.createTask.${i}`, each))
    const groups = failureGroups(results)
    const sets = (of: typeof groups) =>
      of
        .map((group) =>
          group.results
            .map(({ id }) => id)
            .toSorted()
            .join(),
        )
        .toSorted()
    expect(groups.flatMap((group) => group.results.map(({ id }) => id)).toSorted()).toEqual(
      results.map(({ id }) => id).toSorted(),
    )
    const at = by % (results.length + 1)
    const turned = [...results.slice(at), ...results.slice(0, at)].toReversed()
    expect(sets(failureGroups(turned))).toEqual(sets(groups))
    for (const { kind, results: members } of groups)
      for (const result of members) expect(deviationOf(result).kind).toBe(kind)
  },
)

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
