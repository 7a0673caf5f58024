import { describe, expect, test } from 'vitest'
import type { CheckFinished } from '../core/events.ts'
import { similarMutant } from './nearest.ts'
import { type MutantRecord, recorded } from './record.ts'
import { signatureOf } from './signature.ts'
import type { Finding } from './trial.ts'

const finding = (change: Partial<Finding>): Finding => ({
  id: 'rpc.createTask.params.threshold-101',
  clauses: ['4.2-12'],
  level: 'must',
  reason: 'the error code is wrong',
  expected: '-32602',
  observed: '{"code":-32603,"message":"Internal error 7"}',
  ...change,
})
const mutant = { fault: 'accepts a threshold above 100', clauses: ['4.2-12'] }
const trial = (failed: readonly Finding[]) => ({
  id: 'params.threshold',
  verdict: 'killed' as const,
  unproven: [],
  failed,
  asked: 1,
  ms: 1,
})
const recordOf = (...failed: readonly Finding[]): MutantRecord => ({
  version: 1,
  mutants: { 'params.threshold': recorded(mutant, trial(failed), 'first') },
})
const result = (change: Partial<Finding>) =>
  ({ ...finding(change), verdict: 'failed' }) as CheckFinished

describe('a failure is like that of a mutant', () => {
  const record = recordOf(finding({}))
  test('with the same status, code and member, whatever the values of the run', () => {
    const observed = '{"code":-32603,"message":"Internal error 8"}'
    expect(similarMutant([result({ observed })], record)).toMatchObject({
      id: 'params.threshold',
      match: 1,
    })
  })

  test.each<[string, Partial<Finding>]>([
    ['another code', { observed: '{"code":-32600,"message":"Internal error 7"}' }],
    ['another HTTP status', { observed: 'HTTP 500: {"code":-32603}' }],
    ['another member', { reason: 'the error message is wrong' }],
    ['no answer', { reason: 'no answer to svc_createTask', observed: '' }],
  ])('but not with %s, although the same check failed', (_, change) => {
    expect(similarMutant([result(change)], record)).toBeUndefined()
  })

  test('nor where nothing was recorded of how the check failed', () => {
    const { signatures: _, sample: __, ...bare } = record.mutants['params.threshold']!
    const old: MutantRecord = { version: 1, mutants: { 'params.threshold': bare } }
    expect(similarMutant([result({})], old)).toBeUndefined()
    // The sample is enough for its own check.
    const sampled = { ...bare, sample: finding({}) }
    expect(
      similarMutant([result({})], { version: 1, mutants: { 'params.threshold': sampled } }),
    ).toBeDefined()
  })
})

test.each<[Partial<Finding>, object]>([
  [{ observed: 'HTTP 404: ' }, { status: 404, member: 'the error code is wrong' }],
  [{ observed: '401: {"detail":"x"}' }, { status: 401, member: 'the error code is wrong' }],
  [{ observed: '-32601' }, { code: -32601, member: 'the error code is wrong' }],
  [
    {
      reason: 'the end of the task is wrong',
      expected: '{"status":"success","error":null}',
      observed: '{"status":"failed","error":"0x12"}',
    },
    { member: 'the end of the task is wrong at $.status' },
  ],
])('the signature of %o', (change, signature) => {
  expect(signatureOf(finding(change))).toEqual(signature)
})
