import { encodeEvaluationResult } from 'polgate-service/operators/evaluationResult.ts'
import { expect, it, vi } from 'vitest'

vi.stubGlobal('location', { hash: '', origin: 'http://127.0.0.1', pathname: '/' })
vi.stubGlobal('sessionStorage', { getItem: () => null, setItem() {} })
const { allows, filtersOf, matches, rowOf } = await import('./taskList.ts')

it.each([
  ['true', true],
  ['"true"', true],
  ['false', false],
  ['"false"', false],
  ['"CAP"', false],
  ['1', false],
  ['{"allow": true}', false],
])('the evaluation result %s allows: %s', (json, allowed) => {
  expect(allows(encodeEvaluationResult(json))).toBe(allowed)
})

it('a row of the explorer is found by its members, in any case', () => {
  const row = rowOf({
    ...{ id: '0xAB', policy_client_address: '0xCC', error: null, updated_at: 'u' },
    ...{ evaluation_result: encodeEvaluationResult('false'), challenge_result: null },
    ...{ task_created_at: 'c', task_responded_at: 'r', attestation_spent_at: null },
  } as never)
  expect(row).toMatchObject({ status: 'success', decision: 'deny', posting: 'posted' })
  const found = (query: string) => matches(row, filtersOf(new URLSearchParams(query)))
  for (const query of ['', 'status=success', 'decision=deny', 'client=0xcc', 'text=xAb'])
    expect(found(query)).toBe(true)
  for (const query of [
    'status=failed',
    'decision=allow',
    'client=0xcd',
    'text=zz',
    'method=sendTask',
  ])
    expect(found(query)).toBe(false)
})
