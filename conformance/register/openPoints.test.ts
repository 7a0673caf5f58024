import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checks } from '../checks/catalogue.ts'
import { openPoints } from './openPoints.ts'
import { clauses } from './register.ts'

const byId = new Map(clauses.map((clause) => [clause.id, clause]))

test('there are seventeen places where nothing is shown', () => {
  expect(openPoints).toHaveLength(17)
  expect(new Set(openPoints.flatMap((point) => point.clauses)).size).toBe(
    openPoints.flatMap((point) => point.clauses).length,
  )
})

describe.each(openPoints.map((point) => [point.what, point.clauses] as const))('%s', (_, ids) => {
  test.each(ids)('%s is open and no more than a may', (id) => {
    expect(byId.get(id)).toMatchObject({ open: true, level: 'may' })
  })

  test('has a probe, or a reason why there is none', () => {
    const looking = ids.flatMap((id) => checks.filter((check) => check.clauses.includes(id)))
    const reasons = ids.flatMap((id) => byId.get(id)?.noCheck ?? [])
    expect(looking.length + reasons.length).toBeGreaterThan(0)
    if (looking.length === 0)
      for (const reason of reasons) expect(reason.length).toBeGreaterThan(20)
  })

  test('a check of open points only is a probe: it cannot fail a gateway that has no obligation', () => {
    const probes = checks.filter(
      (check) => check.clauses.every((id) => byId.get(id)!.open) && ids.includes(check.clauses[0]!),
    )
    for (const { level } of probes) expect(level).toBe('may')
  })
})

test('a probe observes: its source file records observations', () => {
  const folder = new URL('../checks/', import.meta.url)
  const catalogue = readFileSync(new URL('catalogue.ts', folder), 'utf8')
  const files = [...catalogue.matchAll(/from '\.\/([^']+)'/g)].map(([, name]) => name!)
  const texts = files.map((name) => readFileSync(new URL(name, folder), 'utf8'))
  for (const { what, clauses: ids } of openPoints) {
    const asked = ids.filter((id) => byId.get(id)!.noCheck === undefined)
    for (const id of asked) {
      const holding = texts.filter((text) => text.includes(`'${id}'`))
      // An id built by a function does not appear literally in any file.
      if (holding.length === 0) continue
      const tells = holding.some((text) => /observe|openPoint/.test(text))
      expect(tells, `${what}: ${id} is observed`).toBe(true)
    }
  }
})
