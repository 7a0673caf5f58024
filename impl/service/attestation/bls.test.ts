import { inspect } from 'node:util'
import { bn254 } from '@noble/curves/bn254.js'
import fc from 'fast-check'
import { concat, keccak256, toBytes, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { AttestationError, blsKey, operatorId, verifySignature } from './bls.ts'
import { toPoint1 } from './curve.ts'
import { hashToCurve } from './hashToCurve.ts'
import { sumG1, sumG2 } from './sums.ts'
import { testKey } from './testing/world.ts'

const R = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n
const digest = keccak256(toHex('message'))
const word = (value: bigint) => toBytes(toHex(value, { size: 32 }))

describe('a BLS key', () => {
  it('for secret 1 is the pair of generators', () => {
    const key = blsKey(word(1n))
    expect(key.pubkeyG1).toEqual({ X: 1n, Y: 2n })
    // The generator of EIP-197, imaginary coefficients first.
    expect(key.pubkeyG2.X[0]).toBe(
      11559732032986387107991004021392285783925812861821192530917403151452391805634n,
    )
    expect(key.pubkeyG2.Y[1]).toBe(
      8495653923123431417604973247489272438418190587263600148770280649306958101930n,
    )
    expect(key.operatorId).toBe(
      keccak256(concat([toHex(1n, { size: 32 }), toHex(2n, { size: 32 })])),
    )
    expect(operatorId(key.pubkeyG1)).toBe(key.operatorId)
  })

  it('is the same for secrets that are equal modulo the order', () => {
    expect(blsKey(word(R + 5n)).pubkeyG1).toEqual(blsKey(word(5n)).pubkeyG1)
  })

  it.each([
    ['31 bytes', new Uint8Array(31).fill(1)],
    ['33 bytes', new Uint8Array(33).fill(1)],
    ['zero', new Uint8Array(32)],
    ['the order', word(R)],
  ])('is not created from %s', (_, secret) => {
    expect(() => blsKey(secret)).toThrow(AttestationError)
  })

  it('does not expose its secret', () => {
    const secret = 0x1234567890abcdef1234567890abcdefn
    const key = blsKey(word(secret))
    const shown = inspect(key, { depth: null, showHidden: true }) + Object.values(key).join()
    expect(shown).not.toContain(secret.toString())
    expect(shown).not.toContain(secret.toString(16))
  })
})

describe('a signature', () => {
  const key = testKey('signer')
  const signature = key.sign(digest)

  it('verifies for its key and digest only', () => {
    expect(verifySignature(digest, signature, key.pubkeyG2)).toBe(true)
    expect(verifySignature(keccak256(digest), signature, key.pubkeyG2)).toBe(false)
    expect(verifySignature(digest, signature, testKey('other').pubkeyG2)).toBe(false)
    expect(verifySignature(digest, testKey('other').sign(digest), key.pubkeyG2)).toBe(false)
  })

  it('is never the identity, nor of the identity', () => {
    const zero = { X: 0n, Y: 0n }
    const zeroKey = { X: [0n, 0n], Y: [0n, 0n] } as const
    expect(verifySignature(digest, zero, zeroKey)).toBe(false)
    expect(verifySignature(digest, zero, key.pubkeyG2)).toBe(false)
    expect(verifySignature(digest, signature, zeroKey)).toBe(false)
  })

  it('is invalid with any flipped bit', () => {
    fc.assert(
      fc.property(fc.constantFrom('X', 'Y'), fc.nat({ max: 255 }), (member, bit) => {
        const flipped = { ...signature, [member]: signature[member] ^ (1n << BigInt(bit)) }
        expect(verifySignature(digest, flipped, key.pubkeyG2)).toBe(false)
      }),
      { numRuns: 50 },
    )
  })

  it('is invalid if the key is not a point of G2', () => {
    const { X, Y } = key.pubkeyG2
    const swapped = { X: [X[1], X[0]], Y: [Y[1], Y[0]] } as const
    expect(verifySignature(digest, signature, swapped)).toBe(false)
  })
})

describe('the curve compared with another library', () => {
  const { G1, G2, fields } = bn254
  const scalar = fc.bigInt({ min: 1n, max: R - 1n })

  it('gives the same keys and signatures', () => {
    fc.assert(
      fc.property(scalar, fc.bigInt({ min: 0n, max: R }), (secret, message) => {
        const key = blsKey(word(secret))
        const one = G1.Point.BASE.multiply(secret).toAffine()
        expect(key.pubkeyG1).toEqual({ X: one.x, Y: one.y })
        const { x, y } = G2.Point.BASE.multiply(secret).toAffine()
        expect(key.pubkeyG2).toEqual({ X: [x.c1, x.c0], Y: [y.c1, y.c0] })
        const hash = toHex(message, { size: 32 })
        const { X, Y } = hashToCurve(hash)
        const signed = G1.Point.fromAffine({ x: X, y: Y }).multiply(secret).toAffine()
        expect(key.sign(hash)).toEqual({ X: signed.x, Y: signed.y })
      }),
      { numRuns: 10 },
    )
  })

  it('rejects a point of the twist that is not in G2', () => {
    const { Fp2 } = fields
    const b = Fp2.div(Fp2.create({ c0: 3n, c1: 0n }), Fp2.create({ c0: 9n, c1: 1n }))
    const found = Array.from({ length: 50 }, (_, i) => Fp2.create({ c0: BigInt(i), c1: 1n }))
      .map((x) => ({ x, square: Fp2.add(Fp2.mul(Fp2.sqr(x), x), b) }))
      .find(({ square }) => Fp2.eql(Fp2.pow(square, (Fp2.ORDER - 1n) / 2n), Fp2.ONE))
    const { x, square } = found!
    const y = Fp2.sqrt(square)
    const point = { X: [x.c1, x.c0], Y: [y.c1, y.c0] } as const
    expect(G2.Point.fromAffine({ x, y }).isTorsionFree()).toBe(false)
    expect(() => sumG2([{ point, weight: 1 }])).toThrow('not a point of the group')
  })
})

describe('sums', () => {
  it('of signatures verify for the sum of keys, with any weights', () => {
    const keys = [testKey('a'), testKey('b'), testKey('c')]
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 3, maxLength: 3 }),
        (weights) => {
          const weight = (i: number) => weights[i]!
          const sigma = sumG1(keys.map((k, i) => ({ point: k.sign(digest), weight: weight(i) })))
          const apk = sumG2(keys.map((k, i) => ({ point: k.pubkeyG2, weight: weight(i) })))
          expect(verifySignature(digest, sigma, apk)).toBe(true)
          const other = sumG2(
            keys.map((k, i) => ({ point: k.pubkeyG2, weight: weight(i) + +(i === 0) })),
          )
          expect(verifySignature(digest, sigma, other)).toBe(false)
        },
      ),
      { numRuns: 10 },
    )
  })

  it('of no points are the identity', () => {
    expect(sumG1([])).toEqual({ X: 0n, Y: 0n })
    expect(sumG2([])).toEqual({ X: [0n, 0n], Y: [0n, 0n] })
  })
})

describe('a point of G1', () => {
  const { X, Y } = testKey('a').pubkeyG1
  const p = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n

  it.each([
    ['a key', { X, Y }, true],
    ['the identity', { X: 0n, Y: 0n }, true],
    ['a point off the curve', { X, Y: Y + 1n }, false],
    ['a coordinate over the modulus', { X: X + p, Y }, false],
    ['a negative coordinate', { X, Y: Y - p }, false],
  ])('is parsed only if valid: %s', (_, point, expected) => {
    const read = () => toPoint1(point)
    if (expected) expect(read).not.toThrow()
    else expect(read).toThrow(RangeError)
  })
})
