import { expect, test } from 'vitest'
import type { CheckFinished } from '../core/events.ts'
import { failureGroups } from './failureGroups.ts'
import { failureLines } from './failureLines.ts'

const failed = (change: Partial<CheckFinished>): CheckFinished => ({
  type: 'check-finished',
  id: 'rpc.some.check',
  title: 'a title',
  section: '4.2',
  clauses: ['4.2-01', '4.2-02'],
  level: 'must',
  verdict: 'failed',
  ms: 1,
  exchanges: 1,
  refusals: 0,
  at: 0,
  evidence: [],
  evidenceDropped: 0,
  call: 'svc_createTask',
  sent: '{"a":1} (key SVC_KEY_READ)',
  ...change,
})
const causeOf = (...results: readonly CheckFinished[]) =>
  failureGroups(results).map(({ cause }) => cause)

const success =
  'HTTP 200: {"jsonrpc":"2.0","id":"1","result":{"success":true,"message":"registered"}}'
const refusal = 'HTTP 200: {"jsonrpc":"2.0","id":"1","error":{"code":-32001,"message":"no key"}}'
test.each<readonly [string, string, string, string]>([
  [
    'the call was not refused',
    '-32602, in an error object',
    success,
    'success instead of error -32602',
  ],
  ['the operation did not fail', 'a failure', success, 'success instead of a failure'],
  ['the HTTP status is wrong', '401', refusal, 'HTTP status 200 instead of 401'],
  ['the HTTP status is wrong', '401', `200: ${'x'.repeat(500)}`, 'HTTP status 200 instead of 401'],
  // The status of a refused call follows from the error.
  ['the HTTP status is wrong', '200', refusal.replace('200', '403'), 'answered -32001 no key'],
  ['the call was refused', 'a result', refusal, 'answered -32001 no key'],
  [
    'the call was not refused',
    '-32602, in an error object',
    'HTTP 200: {"jsonrpc":"2.0","id":"1","result":{"success":false,"error":"too late"}}',
    'answered "too late" in a result, instead of error -32602',
  ],
  [
    'the call was not refused',
    '-32602, in an error object',
    `{"jsonrpc":"2.0","result":{"success":true,"data":"${'x'.repeat(300)}…(more`,
    'success instead of error -32602',
  ],
  [
    'the error code is wrong',
    '-32602',
    '-32603 Internal error',
    'error code -32603 instead of -32602',
  ],
  [
    'page and size are wrong',
    '{"page":2}',
    '{"page":1}',
    'page and size are wrong: $.page is 1 instead of 2',
  ],
  ['the body is wrong', '{"a":1}', '{"a":undefined}', 'the body is wrong: $.a is missing'],
  ['network is wrong', 'base', 'testnet', 'network is wrong: testnet instead of base'],
  [
    'no answer to svc_createTask (POST http://a.b/rpc): no answer in time (TimeoutError). Check that it still runs.',
    'an answer',
    'none: no answer in time (TimeoutError)',
    'no answer to svc_createTask (POST http://a.b/rpc): no answer in time (TimeoutError)',
  ],
])('%s, %s, %s: %s', (reason, expected, observed, cause) => {
  const [title] = causeOf(failed({ reason, expected, observed }))
  expect(title).toBe(reason.includes('svc_') ? cause : `svc_createTask: ${cause}`)
})

test('a title names some of the methods, and an example where the values differ', () => {
  const of = (i: number) =>
    failed({
      id: `rpc.${i}`,
      call: `svc_method${'ABCD'[i % 4]}`,
      reason: 'the body is wrong',
      expected: `{"message":"text ${'abcd'[i % 4]}"}`,
      observed: '{"message":"no"}',
    })
  expect(causeOf(of(0), of(1), of(2), of(3), of(4))).toEqual([
    'svc_methodA, svc_methodB and 2 more: the body is wrong: $.message has another value, such as $.message is "no" instead of "text a"',
  ])
})

test('a failure names what was called and sent, the clauses, expected and observed, in this order', () => {
  const result = failed({
    reason: 'the body is wrong',
    expected: 'a',
    observed: 'b',
    counterexample: '1',
  })
  expect(failureLines(result)).toEqual([
    'svc_createTask: the body is wrong',
    'sent: {"a":1} (key SVC_KEY_READ)',
    'clauses: 4.2-01, 4.2-02',
    'expected: a',
    'observed: b',
    'counterexample: 1',
  ])
})
