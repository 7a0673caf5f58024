import { describe, expect, test } from 'vitest'
import { checks } from '../checks/catalogue.ts'
import { type Check, sectionOf } from '../core/check.ts'
import { clauses } from './register.ts'

const byId = new Map(clauses.map((clause) => [clause.id, clause]))
const checksOf = (id: string) => checks.filter((check) => check.clauses.includes(id))
const strength = { must: 3, should: 2, may: 1 }

describe('the register', () => {
  test('ids are unique and contain their section', () => {
    expect(byId.size).toBe(clauses.length)
    for (const { id, section } of clauses) expect(id).toMatch(new RegExp(`^${section}-\\d\\d$`))
  })

  test.each(clauses.map((c) => [c.id, c] as const))('%s has a check or a reason', (id, clause) => {
    const found = checksOf(id).length
    if (clause.noCheck === undefined) expect(found).toBeGreaterThan(0)
    else {
      expect(clause.noCheck.length).toBeGreaterThan(20)
      expect(found).toBe(0)
    }
  })

  test('an open point is a may', () => {
    for (const clause of clauses) if (clause.open) expect(clause.level).toBe('may')
  })
})

describe('the checks', () => {
  test('ids are unique', () => {
    const ids = checks.map((check) => check.id)
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  })

  const refuses = (check: Check) =>
    check.clauses.some((id) => /^7\.[1-3]-/.test(id)) ||
    / (?:refused|rejected) | is (?:refused|rejected)/.test(check.title)

  test.each(checks.map((c) => [c.id, c] as const))('%s is well formed', (id, check) => {
    expect(id).toMatch(/^[a-z0-9]+(\.[a-zA-Z0-9-]+)+$/)
    expect(check.clauses.length).toBeGreaterThan(0)
    expect(new Set(check.clauses).size).toBe(check.clauses.length)
    for (const clause of check.clauses) expect(byId.has(clause), `clause ${clause}`).toBe(true)
    const levels = check.clauses.map((clause) => strength[byId.get(clause)!.level])
    expect(strength[check.level]).toBe(Math.max(...levels))
    expect(sectionOf(check)).toBe(byId.get(check.clauses[0]!)!.section)
    if (check.level !== 'may' && refuses(check)) expect(check.twin, 'a twin').toBeDefined()
  })

  test('every check on an open point alone is a may', () => {
    for (const check of checks)
      if (check.clauses.every((id) => byId.get(id)!.open)) expect(check.level).toBe('may')
  })
})
