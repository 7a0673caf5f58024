import fc from 'fast-check'
import { nearestMutant } from 'polgate-conformance/proof/nearest.ts'
import type { MutantRecord } from 'polgate-conformance/proof/record.ts'
import type { Clause } from 'polgate-conformance/register/clause.ts'
import { describe, expect, test } from 'vitest'
import { rotating } from '../mutantsCommand.ts'
import { killRateOf } from './killRate.ts'

const clause = (id: string, change: Partial<Clause> = {}): Clause => ({
  id,
  section: id.split('-')[0]!,
  level: 'must',
  profile: 'tasks',
  text: id,
  ...change,
})
const register = [
  clause('4.2-01'),
  clause('4.2-02'),
  clause('4.2-03', { level: 'should' }),
  clause('4.2-04', { noCheck: 'for a written reason' }),
]
const mutants = [
  { id: 'a', clauses: ['4.2-01', '4.2-02'] },
  { id: 'b', clauses: ['4.2-02', '4.2-03'] },
]

describe('the kill rate', () => {
  test('counts a clause if a check that cites it detected a mutant of it', () => {
    const rate = killRateOf(register, mutants, [
      { id: 'a', verdict: 'survived', unproven: ['4.2-02'] },
      { id: 'b', verdict: 'killed', unproven: [] },
    ])
    expect(rate.must).toEqual({ proven: 2, of: 2 })
    expect(rate.should).toEqual({ proven: 1, of: 1 })
    expect(rate.mutants).toEqual({ killed: 1, survived: 1, void: 0, broken: 0 })
    expect(rate.clauses[1]).toMatchObject({ mutants: ['a', 'b'], killed: ['b'] })
  })

  test('void and broken mutants prove nothing', () => {
    const rate = killRateOf(register, mutants, [
      { id: 'a', verdict: 'void', unproven: [] },
      { id: 'b', verdict: 'broken', unproven: [] },
    ])
    expect(rate.must).toEqual({ proven: 0, of: 2 })
  })

  test('of a subset of the mutants is that of the clauses they violate', () => {
    const rate = killRateOf(register, mutants, [{ id: 'b', verdict: 'killed', unproven: [] }])
    expect(rate.clauses.map(({ id }) => id)).toEqual(['4.2-02', '4.2-03'])
    expect(rate.must).toEqual({ proven: 1, of: 1 })
  })
})

describe('the daily subset', () => {
  const all = Array.from({ length: 50 }, (_, i) => ({ id: `m${i}` }))

  test('has the requested size, and is the same all day', () => {
    const morning = rotating(all, 7, new Date('2026-11-21T01:00:00Z'))
    expect(morning).toHaveLength(7)
    expect(rotating(all, 7, new Date('2026-11-21T23:00:00Z'))).toEqual(morning)
    expect(rotating(all, 80, new Date())).toEqual(all)
  })

  test('covers all of them over time, for any size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        (size, part) => {
          const some = Array.from({ length: size }, (_, i) => ({ id: `m${i}` }))
          const seen = new Set<string>()
          for (let day = 0; day < size; day++)
            for (const { id } of rotating(some, part, new Date(day * 86_400_000))) seen.add(id)
          expect(seen.size).toBe(size)
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('the nearest mutant', () => {
  const mutant = (failed: readonly string[]) => ({
    fault: 'does something wrong',
    clauses: ['6.2-11'],
    verdict: 'killed' as const,
    asking: 'sections' as const,
    failed,
  })
  const record: MutantRecord = {
    version: 1,
    mutants: {
      all: mutant(['webhook.no-retry.400', 'webhook.no-retry.404', 'webhook.retry.500']),
      two: mutant(['webhook.no-retry.400', 'webhook.no-retry.404']),
    },
  }

  test('is the one with the same failures', () => {
    const two = ['webhook.no-retry.400', 'webhook.no-retry.404']
    expect(nearestMutant(two, record)).toMatchObject({ id: 'two', match: 1 })
    expect(nearestMutant([...two, 'webhook.retry.500'], record)).toMatchObject({
      id: 'all',
      match: 1,
    })
  })

  test('is less similar if more checks failed than ran against the mutant', () => {
    const failed = ['webhook.no-retry.400', 'webhook.no-retry.404', 'explorer.paths']
    expect(nearestMutant(failed, record)?.match).toBeCloseTo(0.8)
  })

  test('is none if nothing is similar', () => {
    expect(nearestMutant(['explorer.paths'], record)).toBeUndefined()
    expect(nearestMutant([], record)).toBeUndefined()
  })
})
