import { checks } from 'polgate-conformance/checks/catalogue.ts'
import { clauseProofs, killRate } from 'polgate-conformance/proof/proof.ts'
import { parseSummary, readSummary, summaryText } from 'polgate-conformance/proof/summary.ts'
import type { Trial } from 'polgate-conformance/proof/trial.ts'
import { clauses } from 'polgate-conformance/register/register.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { choices, faults, mutants } from './catalogue.ts'
import { baseline, controls, testable } from './controls.ts'
import { inProcesses } from './inProcesses.ts'
import { tryMutant } from './tryMutant.ts'

describe('the catalogue', () => {
  test('ids are unique, and name area and fault', () => {
    const ids = mutants.map(({ id }) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    for (const id of ids) expect(id).toMatch(/^[a-z]+(\.[a-z0-9-]+)+$/i)
    for (const { fault } of mutants) expect(fault.length).toBeGreaterThan(8)
  })

  test('has a mutant for every must-clause that has a check', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(150)
    const broken = new Set(mutants.flatMap((mutant) => mutant.clauses))
    const missing = clauses.filter(
      ({ id, level }) => level === 'must' && testable.has(id) && !broken.has(id),
    )
    expect(missing.map(({ id }) => id)).toEqual([])
  })

  test('every mutant breaks clauses that checks cite, by a part, a configuration or a proxy', () => {
    for (const { id, clauses, parts, config, around } of mutants) {
      expect(clauses.length, id).toBeGreaterThan(0)
      expect(
        clauses.filter((clause) => !testable.has(clause)),
        id,
      ).toEqual([])
      expect(
        [parts, config, around].some((each) => each !== undefined),
        id,
      ).toBe(true)
    }
  })
})

test('a mutant is a choice if nothing that it breaks is required or recommended', () => {
  const levels = new Map(clauses.map(({ id, level }) => [id, level]))
  const silent = ({ clauses: broken }: (typeof mutants)[number]) =>
    broken.every((id) => levels.get(id) !== 'must' && levels.get(id) !== 'should')
  expect(choices.filter((mutant) => !silent(mutant))).toEqual([])
  expect(faults.filter(silent)).toEqual([])
  expect(choices.length + faults.length).toBe(mutants.length)
})

describe('the summary of the last campaign', () => {
  const summary = readSummary()
  const { mutants: recorded, nullFloor } = summary

  test('contains every fault of a third party’s gateway with its current text, and no other', () => {
    expect(Object.keys(recorded).sort()).toEqual(faults.map(({ id }) => id).sort())
    for (const { id, clauses, fault } of faults)
      expect(recorded[id], id).toMatchObject({ clauses, fault })
  })

  test('has every one of them killed, and every must-clause with a check proven', () => {
    for (const [id, { verdict }] of Object.entries(recorded)) expect(verdict, id).toBe('killed')
    const must = clauses.filter(({ id, level }) => level === 'must' && testable.has(id)).length
    expect(killRate(clauseProofs(summary), 'must')).toEqual({ proven: must, of: must })
  })

  test('names for each a check that exists and cites a clause that the mutant breaks', () => {
    const citedBy = new Map(checks.map((check) => [check.id, check.clauses]))
    for (const [id, { detectedBy, clauses: broken }] of Object.entries(recorded)) {
      const cited = citedBy.get(detectedBy ?? '') ?? []
      expect(
        broken.some((clause) => cited.includes(clause)),
        `${id}: ${detectedBy}`,
      ).toBe(true)
    }
  })

  test('is read as it was written', () => {
    expect(parseSummary(summaryText(summary))).toEqual(summary)
    const odd = {
      nullFloor: undefined,
      mutants: {
        'a.b': { fault: 'does it', clauses: ['1-01'], verdict: 'void', unproven: ['1-01'] },
      },
    } as const
    expect(parseSummary(summaryText(odd))).toEqual(odd)
    expect(() => parseSummary('a.b\tkilled\n')).toThrow('other than six columns')
  })

  test('has no server that does nothing right pass a check', () => {
    expect(nullFloor).toBe(0)
  })
})

describe('the controls', () => {
  const trials = new Map<string, Trial>()
  const stop = new AbortController()
  afterAll(() => stop.abort())

  test('all have the expected outcome: a canary dies, equal is void, harmless survives, dead is broken', async () => {
    await inProcesses(
      [
        ...controls.map(({ mutant: { id, clauses } }) => ({ id, clauses })),
        { id: 'control.baseline', clauses: ['4.1-03'] },
      ].map((order) => ({ ...order, seed: '0x00000007', asking: 'cited' as const })),
      { workers: 1, signal: stop.signal, onTrial: (trial) => trials.set(trial.id, trial) },
    )
    for (const { mutant, holds } of [...controls, baseline(['4.1-03'])])
      expect(holds(trials.get(mutant.id)!), mutant.id).toBe(true)
  })

  test('fail if the suite or the harness is blind', () => {
    const canary = controls.find(({ mutant }) => mutant.id === 'control.canary')!
    expect(canary.holds({ ...trials.get('control.canary')!, verdict: 'survived' })).toBe(false)
    const { holds } = baseline(['4.1-03'])
    const green = trials.get('control.baseline')!
    expect(holds({ ...green, failed: trials.get('control.canary')!.failed })).toBe(false)
    expect(holds({ ...green, asked: 0 })).toBe(false)
  })

  test('a process that does not answer in time is ended, and its mutant broken', async () => {
    const told: Trial[] = []
    const order = { id: 'control.same', clauses: ['4.1-08'], seed: '0x7', asking: 'first' as const }
    await inProcesses([order], {
      workers: 1,
      signal: stop.signal,
      longestMs: 1,
      onTrial: (trial) => told.push(trial),
    })
    expect(told).toMatchObject([{ verdict: 'broken', reason: 'no end within 0.001 s' }])
  })
})

test('a fault survived if a clause of it is refuted only by refused twins', async () => {
  const own = mutants.find(({ id }) => id === 'rpc.id-not-echoed')!
  const trial = await tryMutant(
    { ...own, clauses: ['4.1-08', '4.1-03'] },
    { seed: '0x00000007', asking: 'cited' },
  )
  expect([trial.verdict, trial.unproven]).toEqual(['survived', ['4.1-03']])
})
