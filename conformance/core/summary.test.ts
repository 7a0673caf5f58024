import { describe, expect, test } from 'vitest'
import type { Level } from '../register/clause.ts'
import type { CheckFinished } from './events.ts'
import { summarise } from './summary.ts'
import type { Verdict } from './verdict.ts'

const result = (verdict: Verdict, level: Level = 'must'): CheckFinished => ({
  type: 'check-finished',
  id: 'rpc.x',
  title: 'x',
  section: '4.1',
  clauses: ['4.1-01'],
  level,
  verdict,
  ms: 1,
  exchanges: 1,
  refusals: 0,
  at: 0,
  evidence: [],
  evidenceDropped: 0,
})

const entry = (check: string) => ({ check, reason: 'known', owner: 'us', expires: '2027-01-01' })
const facts = { interrupted: false, exchanges: 100, refusals: 0 }
const codeOf = (
  results: readonly CheckFinished[],
  more: Partial<Parameters<typeof summarise>[1]> = {},
) => summarise(results, { ...facts, planned: results.length, ...more }).code

describe('the arithmetic of verdicts', () => {
  test('all passed is conformant', () => {
    expect(codeOf([result('passed'), result('passed', 'should')])).toBe(0)
  })

  test('one required failure is not conformant, however many checks pass', () => {
    expect(codeOf([...Array(50).fill(result('passed')), result('failed')])).toBe(1)
  })

  test('a failure that is not required is reported and does not decide', () => {
    const results = [result('passed'), result('failed', 'should'), result('failed', 'may')]
    expect(codeOf(results)).toBe(0)
    expect(summarise(results, { ...facts, planned: 3 }).failed).toEqual({
      must: 0,
      should: 1,
      may: 1,
    })
  })

  test('a required check that was untestable leaves the run inconclusive', () => {
    expect(codeOf([result('passed'), result('untestable')])).toBe(3)
    expect(codeOf([result('passed'), result('untestable', 'may')])).toBe(0)
  })

  test('not applicable neither proves nor prevents anything', () => {
    expect(codeOf([result('passed'), result('not-applicable')])).toBe(0)
    expect(codeOf([result('not-applicable')])).toBe(3)
  })

  test('nothing that did not run counts as passed', () => {
    expect(codeOf([])).toBe(3)
    expect(codeOf([result('passed')], { planned: 2 })).toBe(3)
    const { passed } = summarise([result('untestable'), result('not-applicable')], {
      ...facts,
      planned: 2,
    })
    expect(passed).toBe(0)
  })

  test('a failure outweighs checks that did not run', () => {
    expect(codeOf([result('failed'), result('untestable')], { planned: 5 })).toBe(1)
  })

  test('a run with nothing but rejected keys is vacuous', () => {
    expect(codeOf([result('failed')], { exchanges: 100, refusals: 95 })).toBe(3)
    expect(codeOf([result('failed')], { exchanges: 100, refusals: 89 })).toBe(1)
  })

  test('interrupted is interrupted, whatever was found', () => {
    expect(codeOf([result('failed')], { interrupted: true })).toBe(130)
    expect(codeOf([result('passed')], { interrupted: true })).toBe(130)
  })

  test('a failure that the baseline expects does not decide, and is reported', () => {
    const results = [result('passed'), { ...result('failed'), id: 'rpc.known' }]
    const judged = { expected: new Set(['rpc.known']), stale: [], expired: [] }
    const known = { ...facts, planned: 2, baseline: judged }
    expect(summarise(results, known)).toMatchObject({
      code: 0,
      expected: 1,
      reason: '1 known failures, expected by the baseline',
    })
    const another = [...results, { ...result('failed'), id: 'rpc.new' }]
    expect(summarise(another, { ...known, planned: 3 })).toMatchObject({
      code: 1,
      reason: '1 required checks failed, besides 1 known failures',
    })
  })

  test('a stale or expired entry of the baseline fails the run', () => {
    const judged = { expected: new Set<string>(), stale: [entry('rpc.x')], expired: [] }
    expect(codeOf([result('passed')], { baseline: judged })).toBe(1)
    expect(
      codeOf([result('passed')], { baseline: { ...judged, stale: [], expired: [entry('rpc.x')] } }),
    ).toBe(1)
  })
})

describe('timeouts on an overloaded machine', () => {
  const timedOut = { ...result('untestable'), overload: 'the load of this machine was 9 on 2' }

  test('alone make a run inconclusive, and its reason says so', () => {
    const { code, reason } = summarise([result('passed'), timedOut], { ...facts, planned: 2 })
    expect(code).toBe(3)
    expect(reason).toBe(
      '1 required checks timed out on an overloaded machine, which proves nothing',
    )
  })
  test('beside checks that lack something they are counted', () => {
    const results = [result('untestable'), timedOut]
    expect(summarise(results, { ...facts, planned: 2 }).reason).toBe(
      '2 required checks were untestable, 1 of them timed out on an overloaded machine',
    )
  })
  test('do not excuse a failure', () => {
    expect(codeOf([result('failed'), timedOut])).toBe(1)
  })
})
