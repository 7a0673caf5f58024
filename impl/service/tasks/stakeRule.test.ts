import type { OperatorSet } from 'polgate-chain/operatorSet.ts'
import { describe, expect, it } from 'vitest'
import { stakesOf } from './stakeRule.ts'

const ids = ['0x01', '0x02', '0x03'] as const
const [one, two, three] = ids
/** Stakes 60, 40, 0 in quorum 0 and 10, 0, 90 in quorum 1. */
const byOperator = [
  [60n, 10n],
  [40n, 0n],
  [0n, 90n],
]
const set = (quorums: readonly number[]) =>
  ({
    operators: ids.map((operatorId, at) => ({
      operatorId,
      stakes: quorums.map((quorum) => byOperator[at]![quorum]),
    })),
    quorums: quorums.map((quorumNumber) => ({ quorumNumber, totalStake: 100n })),
  }) as unknown as OperatorSet

describe('decision T7', () => {
  it('is reached at exactly the threshold', () => {
    const stakes = stakesOf(set([0]), 60)
    expect(stakes.reached([one])).toBe(true)
    expect(stakes.reached([two])).toBe(false)
    expect(stakesOf(set([0]), 61).reached([one])).toBe(false)
  })

  it('holds for every quorum', () => {
    const stakes = stakesOf(set([0, 1]), 60)
    expect(stakes.reached([one])).toBe(false)
    expect(stakes.reached([one, three])).toBe(true)
    expect(stakes.reached([one, two, three])).toBe(true)
    expect(stakes.standing([one])).toEqual({ signed: 10n, required: 60n })
    expect(stakes.weight([one, three])).toBe(160n)
  })

  it('is never reached without operators, nor in a quorum without stake', () => {
    expect(stakesOf(set([0]), 0).reached([])).toBe(false)
    expect(stakesOf(set([0]), 0).reached([three])).toBe(true)
    const empty = { ...set([0]), quorums: [{ quorumNumber: 0, totalStake: 0n }] }
    expect(stakesOf(empty as unknown as OperatorSet, 0).reached([one])).toBe(false)
  })

  it('counts only operators in the set', () => {
    expect(stakesOf(set([0]), 1).reached(['0x99'])).toBe(false)
  })
})
