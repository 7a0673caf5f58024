import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checks } from '../checks/catalogue.ts'
import { clauses } from '../register/register.ts'
import { clausePage, sectionTitles } from './clausePage.ts'

const read = (page: string) => readFileSync(new URL(page, import.meta.url), 'utf8')
const titles = new Map([['4.2', 'createTask']])
const clause = {
  id: '4.2-01',
  section: '4.2',
  level: 'must',
  profile: 'tasks',
  text: 'A <b> | fact.',
} as const

describe('the page of clauses', () => {
  test('is up to date (run npm run spec)', () => {
    expect(read('clauses.md')).toBe(
      clausePage({ clauses, checks, titles: sectionTitles(read('service.md')) }),
    )
  })

  test('lists the checks of a clause, and escapes its text', () => {
    const page = clausePage({
      clauses: [clause],
      checks: [{ id: 'rpc.createTask.a', clauses: ['4.2-01'] }],
      titles,
    })
    expect(page).toContain('## 4.2 createTask\n')
    expect(page).toContain(
      '| <a id="4.2-01"></a>4.2-01 | must | tasks | A &lt;b> \\| fact. | `rpc.createTask.a` |',
    )
  })

  test('folds long lists of checks', () => {
    const many = Array.from({ length: 13 }, (_, at) => ({ id: `a.b${at}`, clauses: ['4.2-01'] }))
    expect(clausePage({ clauses: [clause], checks: many, titles })).toMatch(
      /<details><summary>13 checks<\/summary>`a\.b0`, .*`a\.b12`<\/details> \|/,
    )
  })

  test('shows open points, and the reason where there is no check', () => {
    const page = clausePage({
      clauses: [{ ...clause, level: 'may', open: true, noCheck: 'not visible from outside' }],
      checks: [],
      titles,
    })
    expect(page).toContain(
      '| open | tasks | A &lt;b> \\| fact. | No check: not visible from outside |',
    )
  })

  test('needs a heading for every section', () => {
    expect(() => clausePage({ clauses: [clause], checks: [], titles: new Map() })).toThrow(
      'section 4.2 has clauses but no heading in conformance/spec/service.md',
    )
  })
})
