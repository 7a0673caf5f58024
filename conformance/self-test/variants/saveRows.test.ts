import { readVariants } from 'polgate-conformance/proof/variants.ts'
import { expect, test } from 'vitest'
import { variants } from './catalogue.ts'
import { rowsOf } from './rows.ts'
import { unsaved, withRows } from './saveRows.ts'

const alarm = { id: 'rpc.a', level: 'must', verdict: 'failed' } as const
const planned = [['a'], ['b'], ['a', 'b']]

test('a later result replaces the earlier one of the same gateway', () => {
  const earlier = [
    { ids: ['a'], checks: 10, alarms: 1 },
    { ids: ['a', 'b'], checks: 10, alarms: 2 },
  ]
  const results = [
    { ids: ['b'], passed: 9, alarms: [alarm] },
    { ids: ['b', 'a'], passed: 10, alarms: [] },
  ]
  expect(withRows(earlier, results, planned)).toEqual([
    { ids: ['a'], checks: 10, alarms: 1 },
    { ids: ['b', 'a'], checks: 10, alarms: 0 },
    { ids: ['b'], checks: 10, alarms: 1 },
  ])
})

test('results of gateways that are not planned any more are dropped', () => {
  const earlier = [
    { ids: ['gone'], checks: 10, alarms: 0 },
    { ids: ['a', 'gone'], checks: 10, alarms: 0 },
  ]
  expect(withRows(earlier, [], planned)).toEqual([])
})

test('a gateway that did not start has no result', () => {
  const results = [{ ids: ['a'], passed: 0, alarms: [], broken: 'the port is taken' }]
  expect(withRows([], results, planned)).toEqual([])
  expect(unsaved([], planned)).toEqual(planned)
})

test('the saved results are those of every planned gateway, without a false alarm', () => {
  const saved = readVariants()
  const modes = { singly: true, pairwise: true, all: true }
  const kept = saved.map(({ ids }) => ids)
  expect(unsaved(saved, rowsOf(variants, modes, undefined, kept))).toEqual([])
  expect(saved.filter(({ alarms, checks }) => alarms > 0 || checks === 0)).toEqual([])
})
