import fc from 'fast-check'
import { keccak256, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { aggregateSignatures } from './aggregate.ts'
import { verifySignature } from './bls.ts'
import { decodeSignatureData } from './signatureData.ts'
import { operatorsOf } from './testing/operatorSet.ts'

const digest = keccak256(toHex('response'))
const other = keccak256(toHex('another response'))

/** Stakes by operator in quorums 0 and 1; undefined: not a member. */
const members: readonly (readonly [bigint | undefined, bigint | undefined])[] = [
  [40n, undefined],
  [30n, 10n],
  [20n, 5n],
  [10n, undefined],
  [undefined, 1n],
]
const { keys, setOf } = operatorsOf('aggregate', members)
const signatures = keys.map((key) => ({ operatorId: key.operatorId, signature: key.sign(digest) }))

const aggregate = (
  quorumNumbers: readonly number[],
  signing: typeof signatures,
  thresholdPercentage: number,
) =>
  aggregateSignatures({
    digest,
    operatorSet: setOf(quorumNumbers),
    thresholdPercentage,
    signatures: signing,
  })

describe('aggregateSignatures', () => {
  it('is reached if and only if every quorum is, for any signers, quorums and threshold', () => {
    const quorums = fc.constantFrom([0], [1], [0, 1])
    const signing = fc.subarray([0, 1, 2, 3, 4])
    fc.assert(
      fc.property(quorums, signing, fc.integer({ min: 0, max: 100 }), (numbers, who, threshold) => {
        const inside = who.filter((i) => numbers.some((q) => members[i]![q] !== undefined))
        const outside = who.length - inside.length
        const result = aggregate(
          numbers,
          who.map((i) => signatures[i]!),
          threshold,
        )
        const expected = numbers.map((q) => {
          const total = members.reduce((sum, stakes) => sum + (stakes[q] ?? 0n), 0n)
          const signed = inside.reduce((sum, i) => sum + (members[i]![q] ?? 0n), 0n)
          return { quorumNumber: q, signedStake: signed, totalStake: total }
        })
        expect(result.quorums).toEqual(expected)
        expect(result.reached).toBe(
          inside.length > 0 &&
            expected.every((q) => q.signedStake * 100n >= q.totalStake * BigInt(threshold)),
        )
        expect(result.rejected).toHaveLength(outside)
        expect(result.rejected.every(({ reason }) => reason === 'unknown-operator')).toBe(true)
        if (!result.reached) return
        const { evidence } = result
        expect(verifySignature(digest, evidence.sigma, evidence.apkG2)).toBe(true)
        expect(decodeSignatureData(result.signatureData)).toEqual(evidence)
        const ids = result.nonSigners.map((id) => BigInt(id))
        expect(ids).toEqual([...ids].sort((a, b) => (a < b ? -1 : 1)))
        expect(new Set([...result.signers, ...result.nonSigners]).size).toBe(
          setOf(numbers).operators.length,
        )
      }),
      { numRuns: 40 },
    )
  })

  it('contains history indices of non-signers per quorum', () => {
    const result = aggregate([0, 1], [signatures[0]!, signatures[1]!, signatures[4]!], 60)
    if (!result.reached) throw new Error('not reached')
    const order = [2, 3].sort((a, b) =>
      BigInt(keys[a]!.operatorId) < BigInt(keys[b]!.operatorId) ? -1 : 1,
    )
    expect(result.evidence).toMatchObject({
      nonSignerPubkeys: order.map((i) => keys[i]!.pubkeyG1),
      nonSignerQuorumBitmapIndices: order.map((i) => 100 + i),
      nonSignerStakeIndices: [order.map((i) => 10 * i), [21]],
      quorumApkIndices: [50, 51],
      totalStakeIndices: [60, 61],
    })
  })

  it('excludes invalid signatures and reports their operators', () => {
    const wrong = [
      { operatorId: keys[3]!.operatorId, signature: keys[3]!.sign(other) },
      { operatorId: keys[2]!.operatorId, signature: { X: 1n, Y: 1n } },
    ]
    const result = aggregate([0], [signatures[0]!, ...wrong, signatures[1]!], 70)
    expect(result).toMatchObject({ reached: true, quorums: [{ signedStake: 70n }] })
    expect(result.rejected).toEqual([
      { operatorId: keys[2]!.operatorId, reason: 'no-point' },
      { operatorId: keys[3]!.operatorId, reason: 'wrong-signature' },
    ])
    expect(aggregate([0], [signatures[0]!, ...wrong, signatures[1]!], 71).reached).toBe(false)
  })

  it('counts an operator once, and no signature by another key', () => {
    const twice = aggregate([0], [signatures[3]!, signatures[3]!], 0)
    expect(twice).toMatchObject({
      quorums: [{ signedStake: 10n }],
      rejected: [{ operatorId: keys[3]!.operatorId, reason: 'duplicate' }],
    })
    const stolen = { operatorId: keys[0]!.operatorId, signature: signatures[3]!.signature }
    expect(aggregate([0], [stolen], 0)).toMatchObject({
      reached: false,
      rejected: [{ operatorId: keys[0]!.operatorId, reason: 'wrong-signature' }],
    })
  })

  it('does not attest without a signer, even at threshold 0', () => {
    expect(aggregate([0], [], 0)).toMatchObject({
      reached: false,
      quorums: [{ signedStake: 0n, totalStake: 100n }],
    })
  })
})
