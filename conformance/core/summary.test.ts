import { describe, expect, test } from 'vitest'
import { type Level, sectionClauses } from '../register/clause.ts'
import { type Profile, profiles } from '../register/profiles.ts'
import type { CheckFinished } from './events.ts'
import { summarise } from './summary.ts'
import type { Verdict } from './verdict.ts'

const result = (verdict: Verdict, level: Level = 'must'): CheckFinished => ({
  type: 'check-finished',
  id: 'rpc.x',
  title: 'x',
  section: '4.1',
  clauses: level === 'must' ? ['4.1-01'] : [],
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
const clauses = sectionClauses('4.1', { '01': 'A fact.' })
const facts = {
  interrupted: false,
  exchanges: 100,
  refusals: 0,
  clauses,
  claimed: ['base'] as readonly Profile[],
}
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

  test('a required clause that no passed check proves leaves the run inconclusive', () => {
    expect(codeOf([result('untestable'), { ...result('passed'), clauses: [] }])).toBe(3)
    expect(codeOf([result('not-applicable'), { ...result('passed'), clauses: [] }])).toBe(3)
    // Another check proves it.
    expect(codeOf([result('passed'), result('untestable')])).toBe(0)
    expect(codeOf([result('passed'), result('not-applicable')])).toBe(0)
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
      reason: '1 known failure, expected by the baseline',
    })
    const another = [...results, { ...result('failed'), id: 'rpc.new' }]
    expect(summarise(another, { ...known, planned: 3 })).toMatchObject({
      code: 1,
      reason: '1 required check failed, besides 1 known failure',
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
    const { code, reason } = summarise([timedOut], { ...facts, planned: 1 })
    expect(code).toBe(3)
    expect(reason).toMatch(/1 required check came too late to judge, on an overloaded machine$/)
  })
  test('beside checks that lack something they are counted', () => {
    const results = [result('untestable'), timedOut]
    expect(summarise(results, { ...facts, planned: 2, of: 3 }).reason).toBe(
      '2 required checks were untestable, 1 of them too late to judge, on an overloaded machine',
    )
  })
  test('do not excuse a failure', () => {
    expect(codeOf([result('failed'), timedOut])).toBe(1)
  })
})

describe('profiles', () => {
  const register = [
    sectionClauses('4.1', { '01': 'A fact.', '02': 'Another fact.' }),
    sectionClauses('4.2', { '01': 'A fact of tasks.', '02': { text: 'Advice.', level: 'should' } }),
    sectionClauses('4.9', { '01': 'A fact of webhooks.' }),
  ].flat()
  const of = (clause: string, change: Partial<CheckFinished> = {}): CheckFinished => ({
    ...result('passed'),
    id: `rpc.${clause}`,
    clauses: [clause],
    ...change,
  })
  const lacking = (clause: string, ...lacks: readonly string[]) =>
    of(clause, { verdict: 'untestable', reason: `needs ${lacks.join()}`, lacks })
  const base = [of('4.1-01'), of('4.1-02')]
  const summaryOf = (
    results: readonly CheckFinished[],
    claimed: readonly Profile[],
    more: Partial<Parameters<typeof summarise>[1]> = {},
  ) =>
    summarise(results, { ...facts, planned: results.length, clauses: register, claimed, ...more })

  test('all that are claimed hold: conformant to them, and to all alone without naming them', () => {
    expect(summaryOf(base, ['base']).words).toBe('CONFORMANT TO base')
    expect(summaryOf([...base, of('4.2-01')], ['base', 'tasks'])).toMatchObject({
      words: 'CONFORMANT TO base, tasks',
      code: 0,
      reason: undefined,
    })
    const everything = profiles.flatMap((profile) =>
      profile === 'base' ? [] : sectionClauses('4.3', { '01': { text: 'A fact.', profile } }),
    )
    const each = everything.map((clause, at) => ({ ...clause, id: `4.3-${at}` }))
    const results = [...base, ...each.map(({ id }) => of(id))]
    const clauses = [...sectionClauses('4.1', { '01': 'A fact.' }), ...each]
    expect(summaryOf(results, profiles, { clauses }).words).toBe('CONFORMANT')
    expect(summaryOf(results.slice(0, -1), profiles, { clauses }).words).toBe('INCONCLUSIVE')
  })

  test('a clause that only a check of the closed list could prove stands beside the verdict', () => {
    const { words, reason } = summaryOf([of('4.1-01'), lacking('4.1-02', 'chaos')], ['base'])
    expect(words).toBe('CONFORMANT TO base')
    expect(reason).toMatch(/^1 of 2 required clauses are not proven, .*: 4\.1-02$/)
  })

  test.each([
    ['lacks a key', [lacking('4.1-02', 'key:read')]],
    ['lacks a key too', [lacking('4.1-02', 'chaos', 'key:read')]],
    ['is waived', [of('4.1-02', { verdict: 'not-applicable', lacks: ['owner'] })]],
    ['was untestable', [of('4.1-02', { verdict: 'untestable' })]],
    [
      'lacks something, another check lacks a key',
      [lacking('4.1-02', 'chaos'), lacking('4.1-02', 'owner')],
    ],
    ['was not planned', []],
  ])('a clause whose check %s leaves the profile open', (_, more) => {
    const summary = summaryOf([of('4.1-01'), ...more], ['base'])
    expect(summary.words).toBe('INCONCLUSIVE')
    expect(summary.reason).toMatch(
      /^base: 1 of 2 required clauses not proven, most of them because/,
    )
  })

  test('a profile of which nothing is proven does not hold, whatever the target may lack', () => {
    const results = [lacking('4.1-01', 'chaos'), lacking('4.1-02', 'world'), of('4.2-02')]
    expect(summaryOf(results, ['base']).words).toBe('INCONCLUSIVE')
  })

  test('a failure names the profiles that hold all the same, of which none depends on a refuted one', () => {
    const failed = of('4.9-01', { verdict: 'failed' })
    expect(summaryOf([...base, of('4.2-01'), failed], ['base', 'tasks', 'webhooks'])).toMatchObject(
      {
        words: 'NOT CONFORMANT',
        reason: '1 required check failed; profiles that hold: base, tasks',
      },
    )
    const ofBase = [of('4.1-01', { verdict: 'failed' }), of('4.1-02'), of('4.2-01')]
    expect(summaryOf(ofBase, ['base', 'tasks']).reason).toBe('1 required check failed')
  })

  test('a known failure is never called conformant', () => {
    const failed = of('4.1-02', { verdict: 'failed' })
    const baseline = { expected: new Set([failed.id]), stale: [], expired: [] }
    expect(summaryOf([of('4.1-01'), failed], ['base'], { baseline })).toMatchObject({
      words: 'AS EXPECTED (1 known failure)',
      code: 0,
    })
    expect(summaryOf([failed], ['base'], { baseline }).words).toBe('INCONCLUSIVE')
  })
})

describe('a part of the checks', () => {
  const part = (
    results: readonly CheckFinished[],
    more: Partial<Parameters<typeof summarise>[1]> = {},
  ) => summarise(results, { ...facts, planned: results.length, ...more })
  const budget = { ...result('untestable'), cut: 'budget' as const }

  test.each([
    ['a filter or a shard', [result('passed')], { of: 1191 }, 'PASSED (1 of 1,191)'],
    ['a filter', [result('failed')], { of: 1191 }, 'FAILED (1 of 1,191)'],
    ['a budget', [result('passed'), budget], {}, 'PASSED (1 of 2)'],
    [
      'a read-only run',
      [result('passed'), { ...result('untestable'), cut: 'read-only' as const, lacks: ['owner'] }],
      {},
      'PASSED (1 of 2)',
    ],
    ['--bail', [result('failed')], { planned: 9, bail: 1 }, 'FAILED (1 of 9)'],
  ])('left by %s passes or fails, and certifies nothing', (_, results, more, words) => {
    const summary = part(results, more)
    expect(summary.words).toBe(`SELECTED CHECKS ${words}`)
    expect(summary.isPart).toBe(true)
    expect(summary.profiles).toEqual([])
    expect(JSON.stringify(summary)).not.toMatch(/conformant/i)
  })

  test('is inconclusive where a required check could not be tested', () => {
    expect(part([result('passed'), result('untestable')], { of: 9 }).words).toBe('INCONCLUSIVE')
    const lacking = { ...result('untestable'), lacks: ['chaos'] }
    expect(part([result('passed'), lacking], { of: 9 }).code).toBe(0)
  })
})
