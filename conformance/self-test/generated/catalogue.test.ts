import { readSummary } from 'polgate-conformance/proof/summary.ts'
import { clauses } from 'polgate-conformance/register/register.ts'
import { describe, expect, test } from 'vitest'
import { testable } from '../mutants/controls.ts'
import { generatedMembers, generatedMutants } from './catalogue.ts'
import { requiredShare } from './generatedOutcome.ts'
import { pathText } from './member.ts'
import { memberClauses, specifiedOf } from './memberClauses.ts'
import { memberRateOf } from './memberRate.ts'
import { surfaces } from './surfaces.ts'

describe('the table of clauses', () => {
  test('has a row for every member of every answer; unspecified ones say so', () => {
    const missing = surfaces.flatMap(({ id, members }) =>
      members
        .filter((member) => specifiedOf(id, member) === undefined)
        .map(({ path }) => `${id} ${pathText(path)}`),
    )
    expect(missing).toEqual([])
  })

  test('has no row of a surface or of a member that the service does not have', () => {
    const known = new Map(surfaces.map((each) => [each.id, each.members]))
    expect(Object.keys(memberClauses).sort()).toEqual([...known.keys()].sort())
    for (const [id, rows] of Object.entries(memberClauses)) {
      const paths = new Set(known.get(id)!.map(({ path }) => pathText(path)))
      const odd = Object.keys(rows).filter((path) => !path.endsWith('**') && !paths.has(path))
      expect(odd, id).toEqual([])
    }
  })

  test('names clauses of the register, and for a specified member one with a check', () => {
    const known = new Set(clauses.map(({ id }) => id))
    for (const { name, level, clauses: named } of generatedMembers) {
      expect(
        named.filter((clause) => !known.has(clause)),
        name,
      ).toEqual([])
      if (level === 'must')
        expect(
          named.some((clause) => testable.has(clause)),
          name,
        ).toBe(true)
    }
  })
})

describe('the generated faults', () => {
  test('are of every surface, with unique ids, in the listeners only', () => {
    const ids = generatedMutants.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id } of surfaces.filter((each) => !onlyOpen.includes(each.id)))
      expect(
        ids.some((each) => each.startsWith(`generated.${id}.`)),
        id,
      ).toBe(true)
    for (const { clauses: broken, onWire, proof } of generatedMutants)
      expect({ some: broken.length > 0, onWire, proof }).toEqual({
        some: true,
        onWire: true,
        proof: 'any',
      })
  })

  test('every operator that is not used on a specified member has a reason', () => {
    for (const { name, level, mutants, excluded } of generatedMembers.filter(
      (each) => each.level === 'must',
    ))
      expect(mutants.length + excluded.length, `${name} ${level}`).toBe(8)
  })
})

/** The specification leaves these messages open. */
const onlyOpen = ['ws.subscribed', 'ws.unsubscribed', 'ws.error']

describe('the record of the last campaign', () => {
  const { mutants } = readSummary('generated')
  const verdicts = new Map(Object.entries(mutants).map(([id, { verdict }]) => [id, verdict]))

  test('has the generated faults with their current text, and no other', () => {
    const current = new Map(generatedMutants.map((each) => [each.id, each]))
    for (const [id, { clauses: broken, fault }] of Object.entries(mutants))
      expect({ clauses: broken, fault }, id).toEqual({
        clauses: current.get(id)?.clauses,
        fault: current.get(id)?.fault,
      })
  })

  test('has the required share of the must-members killed', () => {
    const { must } = memberRateOf(generatedMembers, verdicts)
    expect(must.killed).toBeGreaterThanOrEqual(requiredShare * must.of)
  })
})

test('a member is killed if every fault of it that took effect was', () => {
  const member = generatedMembers.find(({ name }) => name === 'rpc.sendTask message')!
  const [one, two, three] = member.mutants.map(({ id }) => id) as [string, string, string]
  const rate = (verdicts: [string, 'killed' | 'survived' | 'void'][]) =>
    memberRateOf([member], new Map(verdicts))
  const killed = rate([
    [one, 'killed'],
    [two, 'void'],
  ])
  expect(killed).toMatchObject({ must: { killed: 1, of: 1 }, survivors: {}, neverAnswered: [] })
  const survived = rate([
    [one, 'killed'],
    [three, 'survived'],
  ])
  expect(survived.must).toEqual({ killed: 0, of: 1 })
  expect(survived.survivors).toEqual({ '4.3-12': [three] })
  expect(rate([[one, 'void']])).toMatchObject({
    must: { killed: 0, of: 0 },
    neverAnswered: ['rpc.sendTask message'],
  })
})
