import { bn254 } from '@noble/curves/bn254.js'
import { keccak256, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Evidence } from './attestation.ts'
import { hashToG1, operatorIdOf, verifyAggregate } from './bn254.ts'

function affine(point: ReturnType<typeof hashToG1>) {
  const { x, y } = point.toAffine()
  return { X: x, Y: y }
}

/** Evidence, as a gateway sends it, with any of three operators as signers. */
function evidenceOf(digest: `0x${string}`, secrets: bigint[], signers: number[]): Evidence {
  const key = (secret: bigint) => bn254.G1.Point.BASE.multiply(secret)
  const sum = (points: ReturnType<typeof hashToG1>[]) =>
    points.reduce((a, b) => a.add(b), bn254.G1.Point.ZERO)
  const secret = signers.reduce((total, i) => total + secrets[i]!, 0n)
  const g2 = bn254.G2.Point.BASE.multiply(secret).toAffine() as never as {
    x: { c0: bigint; c1: bigint }
    y: { c0: bigint; c1: bigint }
  }
  return {
    nonSignerQuorumBitmapIndices: [],
    nonSignerPubkeys: secrets.flatMap((s, i) => (signers.includes(i) ? [] : [affine(key(s))])),
    quorumApks: [affine(sum(secrets.map(key)))],
    apkG2: { X: [g2.x.c1, g2.x.c0], Y: [g2.y.c1, g2.y.c0] },
    sigma: affine(hashToG1(digest).multiply(secret)),
    quorumApkIndices: [0],
    totalStakeIndices: [0],
    nonSignerStakeIndices: [[]],
  }
}

const digest = keccak256(toHex('hello'))

describe('hashToG1', () => {
  test('vectors of decision C3', () => {
    expect(affine(hashToG1(toHex(0n, { size: 32 })))).toEqual({ X: 1n, Y: 2n })
    expect(affine(hashToG1(digest))).toEqual({
      X: 0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac9n,
      Y: 0x00a4852e8f1be4c9df00fd9bd67cbc17830f7149d0b6a0b41c9f9a1e40718d37n,
    })
  })
})

describe('verifyAggregate', () => {
  test('all signed', () => {
    expect(verifyAggregate(digest, evidenceOf(digest, [3n, 5n, 7n], [0, 1, 2]))).toEqual({
      keysAgree: true,
      signatureHolds: true,
    })
  })

  test('one did not sign and is subtracted', () => {
    expect(verifyAggregate(digest, evidenceOf(digest, [3n, 5n, 7n], [0, 2]))).toEqual({
      keysAgree: true,
      signatureHolds: true,
    })
  })

  test('a non-signer that is not listed makes the keys differ', () => {
    const evidence = { ...evidenceOf(digest, [3n, 5n, 7n], [0, 2]), nonSignerPubkeys: [] }
    expect(verifyAggregate(digest, evidence)).toEqual({ keysAgree: false, signatureHolds: true })
  })

  test('a signature over another digest is invalid', () => {
    const evidence = evidenceOf(keccak256(toHex('other')), [3n, 5n], [0, 1])
    expect(verifyAggregate(digest, evidence)).toEqual({ keysAgree: true, signatureHolds: false })
  })

  test('without signers there is no signature', () => {
    const evidence = { ...evidenceOf(digest, [3n], [0]), sigma: { X: 0n, Y: 0n } }
    expect(verifyAggregate(digest, evidence).signatureHolds).toBe(false)
  })
})

test('operator id is the hash of the key', () => {
  expect(operatorIdOf({ X: 1n, Y: 2n })).toBe(
    keccak256(`0x${'1'.padStart(64, '0')}${'2'.padStart(64, '0')}`),
  )
})
