import type { OperatorReport, QuorumReport } from 'polgate-protocol/control/operators.ts'
import { describe, expect, it } from 'vitest'
import {
  type Action,
  actionsOf,
  agreementOf,
  breaksQuorum,
  shareOf,
  standingAfter,
} from './effect.ts'

const operator = (more: Partial<OperatorReport> = {}): OperatorReport => ({
  ...{ index: 0, address: '0x00', id: '0x01', running: true, stake: '40', registered: true },
  fault: { kind: 'none' },
  ...more,
})
const quorum = (counts = true): QuorumReport => ({
  ...{ quorumNumber: 0, threshold: 67, total: '100', required: '67' },
  now: { stake: counts ? '100' : '60', holds: counts },
  operators: [
    {
      ...{ index: 0, stake: '40', counts },
      without: { stake: '60', holds: false },
      with: { stake: '100', holds: true },
    },
  ],
})

describe('the quorum after an action', () => {
  it.each<[Partial<OperatorReport>, Action, string]>([
    [{}, 'stop', '60'],
    [{}, 'delay', '100'],
    [{}, 'lie-data', '60'],
    [{}, 'lie-decision', '60'],
    [{}, 'refuse', '60'],
    [{ fault: { kind: 'refuse' } }, 'none', '100'],
    [{ fault: { kind: 'refuse' } }, 'delay', '100'],
    [{ running: false }, 'start', '100'],
    // It still lies once it runs again, and does not run once it stops lying.
    [{ running: false, fault: { kind: 'lie-data' } }, 'start', '60'],
    [{ running: false, fault: { kind: 'lie-data' } }, 'none', '60'],
    [{ running: false }, 'delay', '60'],
  ])('%j %s', (state, action, stake) => {
    const counts = state.running !== false && state.fault === undefined
    const given = quorum(counts)
    expect(standingAfter(given, operator(state), action).stake).toBe(stake)
    expect(breaksQuorum(given, operator(state), action)).toBe(counts && stake === '60')
  })

  it('is that of now for an operator that is not in it', () => {
    expect(standingAfter(quorum(), operator({ index: 7 }), 'stop')).toEqual(quorum().now)
  })
})

it.each<[Partial<OperatorReport>, Action[]]>([
  [{}, ['stop', 'delay', 'lie-data', 'lie-decision', 'refuse']],
  [{ running: false }, ['start', 'delay', 'lie-data', 'lie-decision', 'refuse']],
  [{ fault: { kind: 'refuse' } }, ['stop', 'delay', 'lie-data', 'lie-decision', 'none']],
  [{ noFaults: 'a process of its own' }, ['stop']],
])('the actions of %j', (state, actions) => {
  expect(actionsOf(operator(state))).toEqual(actions)
})

it('shares are whole numbers of what there is', () => {
  const activity = { recent: [], p50: null, p99: null, missed: 9, reported: null }
  expect(agreementOf({ ...activity, agreed: 2, differed: 1 })).toBe(66)
  expect(agreementOf({ ...activity, agreed: 0, differed: 0 })).toBeUndefined()
  expect(agreementOf(undefined)).toBeUndefined()
  expect([shareOf('1', '3'), shareOf('0', '0')]).toEqual([33.33, 0])
})
