import { expect, it } from 'vitest'
import type { Case } from './cases.ts'
import { gates, type Result } from './gates.ts'

const result = (status: Result['status'], more: Partial<Case> = {}): Result => ({
  status,
  case: {
    set: 'opa',
    id: 'x',
    note: '',
    category: 'x',
    modules: [],
    query: 'data',
    inputs: [],
    strict: false,
    expectation: { kind: 'error' },
    ...more,
  },
})

it('requires every case without since and nine of ten newer ones', () => {
  const newer = { since: '1.12.0' }
  const ten = Array.from({ length: 9 }, () => result('passed', newer))
  const held = gates([result('passed'), result('skipped'), ...ten, result('failed', newer)])
  expect(held.map(({ passed, total, holds }) => ({ passed, total, holds }))).toEqual([
    { passed: 1, total: 1, holds: true },
    { passed: 9, total: 10, holds: true },
  ])
  expect(gates([result('passed'), result('failed')])[0]?.holds).toBe(false)
})

it('ignores cases that no gate counts', () => {
  expect(gates([result('failed', { set: 'regorus', status: 'same_unverified' })])).toEqual([])
  expect(gates([result('failed', { set: 'negative', source: 'docs' })])).toEqual([])
  expect(gates([result('failed', { set: 'negative', source: 'opa-0.47' })])[0]?.holds).toBe(false)
})

it('excuses a small number of known failures, with a reason', () => {
  const id = 'data/tests#1'
  const same = { set: 'regorus', status: 'same' } as const
  const hundred = Array.from({ length: 99 }, () => result('passed', same))
  const failed = result('failed', { ...same, id })
  expect(gates([...hundred, failed])[0]).toMatchObject({ passed: 99, known: 1, holds: true })
  expect(gates([result('passed', same), failed])[0]).toMatchObject({ known: 0, holds: false })
  expect(gates([...hundred, result('failed', same)])[0]?.holds).toBe(false)
})
