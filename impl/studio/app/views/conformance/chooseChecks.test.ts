import type { ConformanceCheck, ConformanceRun } from 'polgate-protocol/control/conformance.ts'
import { expect, it } from 'vitest'
import { effectsOf, filterChecks, groupsOf, selectionOf } from './chooseChecks.ts'
import { doneOf, selectionText, verdictOf } from './runText.ts'

const check = (id: string, clauses: string[], level: ConformanceCheck['level'] = 'must') => ({
  ...{ id, title: `Title of ${id}`, section: clauses[0]!.split('-')[0]!, clauses, level },
  ...{ needs: [], tags: [], writes: [`writes ${level}`], expectedMs: 1 },
})
const all = [
  check('rpc.a', ['4.1-01', '5.1-02']),
  check('rpc.b', ['4.10-01'], 'should'),
  check('ws.c', ['4.1-02'], 'may'),
]
const any = { text: '', clause: '', level: '' }

it.each([
  [any, ['rpc.a', 'rpc.b', 'ws.c']],
  [{ ...any, text: ' RPC ' }, ['rpc.a', 'rpc.b']],
  [{ ...any, text: 'title of ws' }, ['ws.c']],
  [{ ...any, clause: '4.1' }, ['rpc.a', 'ws.c']],
  [{ ...any, clause: '4' }, ['rpc.a', 'rpc.b', 'ws.c']],
  [{ ...any, clause: '5.1-02' }, ['rpc.a']],
  [{ ...any, clause: '4.1', level: 'may' }, ['ws.c']],
  [{ ...any, text: '(' }, []],
])('filters by %j', (filter, ids) => {
  expect(filterChecks(all, filter).map(({ id }) => id)).toEqual(ids)
})

it('selects by the clause where that says the same, else by ids', () => {
  const by = (filter: typeof any) => selectionOf(filterChecks(all, filter), all, filter)
  expect(by(any)).toEqual({})
  expect(by({ ...any, clause: '4.1' })).toEqual({ clause: '4.1' })
  expect(by({ ...any, clause: '4.1', level: 'may' })).toEqual({ clause: '4.1', level: 'may' })
  expect(by({ ...any, clause: '4.1', text: 'rpc' })).toEqual({ only: ['rpc.a'] })
  expect(by({ ...any, level: 'may' })).toEqual({ only: ['ws.c'] })
  expect(selectionOf([all[0]!], all, { ...any, clause: '4.1' })).toEqual({ only: ['rpc.a'] })
  expect(effectsOf([...all, all[0]!])).toEqual(['writes must', 'writes should', 'writes may'])
})

it('says what was selected and decided', () => {
  const run = (members: Partial<ConformanceRun>): ConformanceRun => ({
    ...{ id: 'r', startedAt: '', state: 'finished', selection: {}, planned: 9, ms: 1, command: '' },
    ...{ counts: { passed: 3, failed: 1, untestable: 2, notApplicable: 1 }, ...members },
  })
  expect(doneOf(run({}))).toBe(7)
  expect(selectionText(run({}))).toBe('all 9 checks')
  expect(selectionText(run({ selection: { only: ['a'], level: 'may' } }))).toBe('a, level may')
  expect(selectionText(run({ selection: { only: ['a', 'b'] } }))).toBe('2 chosen checks')
  const verdict = 'CONFORMANT TO base'
  expect(verdictOf(run({ code: 0, verdict }))).toEqual({ tone: 'good', text: verdict })
  expect(verdictOf(run({ code: 0 })).text).toBe('passed')
  expect(verdictOf(run({ code: 1 }))).toEqual({ tone: 'bad', text: 'failed' })
  expect(verdictOf(run({ code: 3 })).text).toBe('inconclusive')
  expect(verdictOf(run({ state: 'interrupted', code: 0 })).tone).toBe('warn')
})

it('groups by section, in the order of the specification', () => {
  const groups = groupsOf([...all].reverse())
  expect(groups.map(({ section, checks }) => [section, checks.map(({ id }) => id)])).toEqual([
    ['4.1', ['ws.c', 'rpc.a']],
    ['4.10', ['rpc.b']],
  ])
})
