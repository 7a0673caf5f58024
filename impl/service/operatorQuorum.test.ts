import type { OperatorSet } from 'polgate-chain/operatorSet.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { describe, expect, it } from 'vitest'
import { operatorQuorum } from './operatorQuorum.ts'

const [large, small] = ['0x01', '0x02'] as const

/** Stakes of two operators in the default quorum. */
const setOf = (...stakes: readonly bigint[]) =>
  ({
    operators: [large, small].map((operatorId, at) => ({ operatorId, stakes: [stakes[at]!] })),
    quorums: [{ quorumNumber: 0, totalStake: stakes.reduce((sum, each) => sum + each, 0n) }],
  }) as unknown as OperatorSet

function quorumOf(first: OperatorSet) {
  const state = {
    answering: [large, small] as readonly Bytes32[],
    block: 1 as number | undefined,
    set: first as OperatorSet | undefined,
    reads: 0,
  }
  const check = operatorQuorum({
    chain: {
      async operatorSet() {
        state.reads += 1
        if (state.set === undefined) throw new Error('the node does not answer')
        return state.set
      },
    },
    latestBlock: () => state.block,
    answering: () => state.answering,
  })
  return { state, check }
}

describe('the need of operators', () => {
  it('is met while those that answer have the stake of a default quorum', async () => {
    const { state, check } = quorumOf(setOf(70n, 30n))
    expect(await check()).toBeUndefined()
    state.answering = [large]
    expect(await check()).toBeUndefined()
    state.answering = [small]
    expect(await check()).toBe(
      'those that answer (1) have a stake of 30, the default quorum requires 67',
    )
    state.answering = []
    expect(await check()).toContain('those that answer (0) have a stake of 0')
    state.answering = [small, large]
    expect(await check()).toBeUndefined()
    expect(state.reads).toBe(1)
  })

  it('follows registrations from block to block', async () => {
    const { state, check } = quorumOf(setOf(70n, 30n))
    state.answering = [large]
    expect(await check()).toBeUndefined()
    state.set = setOf(50n, 50n)
    state.block = 2
    await expect.poll(() => check()).toContain('have a stake of 50')
  })

  it('judges by the last registrations that are known: the chain reports its node', async () => {
    const { state, check } = quorumOf(setOf(70n, 30n))
    await check()
    state.set = undefined
    state.block = 2
    expect(await check()).toBeUndefined()
    state.answering = [small]
    expect(await check()).toContain('have a stake of 30')
  })

  it('says nothing before a block is known, and fails if its first read does', async () => {
    const { state, check } = quorumOf(setOf(70n, 30n))
    state.block = undefined
    state.answering = []
    expect(await check()).toBeUndefined()
    state.block = 1
    state.set = undefined
    await expect(async () => check()).rejects.toThrow('the node does not answer')
  })
})
