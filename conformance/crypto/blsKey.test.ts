import { keccak256, toHex } from 'viem'
import { expect, test } from 'vitest'
import { blsKeyOf } from './blsKey.ts'
import { verifyAggregate } from './bn254.ts'

test('a signature verifies with both forms of its key, and over no other digest', () => {
  const { pubkeyG1, pubkeyG2, sign } = blsKeyOf('a key')
  const digest = keccak256(toHex('hello'))
  const evidence = {
    nonSignerQuorumBitmapIndices: [],
    nonSignerPubkeys: [],
    quorumApks: [pubkeyG1],
    apkG2: pubkeyG2,
    sigma: sign(digest),
    quorumApkIndices: [0],
    totalStakeIndices: [0],
    nonSignerStakeIndices: [[]],
  }
  expect(verifyAggregate(digest, evidence)).toEqual({ keysAgree: true, signatureHolds: true })
  const other = verifyAggregate(keccak256(toHex('other')), evidence)
  expect(other).toEqual({ keysAgree: true, signatureHolds: false })
})

test('the key of a name is always the same, and differs from that of another name', () => {
  expect(blsKeyOf('a').pubkeyG1).toEqual(blsKeyOf('a').pubkeyG1)
  expect(blsKeyOf('b').pubkeyG1).not.toEqual(blsKeyOf('a').pubkeyG1)
})
