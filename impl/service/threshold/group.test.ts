import { randomBytes } from 'node:crypto'
import { ED25519_TORSION_SUBGROUP, ed25519, x25519 } from '@noble/curves/ed25519.js'
import { describe, expect, it } from 'vitest'
import {
  base,
  framed,
  inSubgroup,
  montgomeryOf,
  pointOf,
  pointOfMontgomery,
  randomScalar,
  sameInSubgroup,
  scalars,
  subgroupPointOf,
} from './group.ts'

function little(value: bigint) {
  const bytes = Buffer.alloc(32)
  for (let at = 0, rest = value; at < 32; at += 1, rest >>= 8n) bytes[at] = Number(rest & 0xffn)
  return new Uint8Array(bytes)
}
const p = 2n ** 255n - 19n
const torsion = ED25519_TORSION_SUBGROUP.map((hex) => pointOf(hex))

describe('X25519 keys as points', () => {
  it('have the coordinate of every honest public key', () => {
    for (let at = 0; at < 20; at += 1) {
      const key = x25519.getPublicKey(randomBytes(32))
      expect(montgomeryOf(pointOfMontgomery(key))).toEqual(key)
    }
  })

  it('multiply like X25519, with either of the two points', () => {
    const secret = randomBytes(32)
    const other = x25519.getPublicKey(randomBytes(32))
    const clamped = Buffer.from(secret)
    clamped[0] = (clamped[0] as number) & 248
    clamped[31] = ((clamped[31] as number) & 127) | 64
    const scalar = scalars.create(BigInt(`0x${Buffer.from(clamped).reverse().toString('hex')}`))
    const expected = x25519.getSharedSecret(secret, other)
    const point = pointOfMontgomery(other)
    expect(montgomeryOf(point.multiply(scalar))).toEqual(expected)
    expect(montgomeryOf(point.negate().multiply(scalar))).toEqual(expected)
  })

  it('are rejected on the twist', () => {
    let refused = 0
    for (let u = 2n; u < 40n; u += 1n) {
      // u^3 + 486662 u^2 + u is a square on the curve and not on the twist.
      const value = (((u * u * u + 486662n * u * u + u) % p) + p) % p
      let power = 1n
      for (let bits = (p - 1n) / 2n, factor = value; bits > 0n; bits >>= 1n) {
        if (bits & 1n) power = (power * factor) % p
        factor = (factor * factor) % p
      }
      if (power === 1n) continue
      refused += 1
      expect(() => pointOfMontgomery(little(u))).toThrow('twist')
    }
    expect(refused).toBeGreaterThan(10)
    expect(() => pointOfMontgomery(little(p - 1n))).toThrow('twist')
  })

  it('are rejected with a torsion component, of small order, zero, not reduced', () => {
    const key = base.multiply(randomScalar(randomBytes))
    for (const part of torsion.slice(1))
      expect(() => pointOfMontgomery(montgomeryOf(key.add(part)))).toThrow(
        /subgroup of prime order/,
      )
    expect(() => pointOfMontgomery(new Uint8Array(32))).toThrow('small order')
    expect(() => pointOfMontgomery(little(1n))).toThrow()
    // The two of order 8 of RFC 7748's list.
    for (const small of [
      'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
      '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
    ])
      expect(() => pointOfMontgomery(Buffer.from(small, 'hex'))).toThrow('small order')
    expect(() => pointOfMontgomery(little(9n))).not.toThrow()
    expect(() => pointOfMontgomery(little(9n + p))).toThrow('reduced')
    expect(() => pointOfMontgomery(new Uint8Array(31))).toThrow('reduced')
    const masked = little(9n)
    masked[31] = 0x80
    expect(() => pointOfMontgomery(masked)).toThrow('reduced')
  })
})

describe('the subgroup', () => {
  it('is the image after removing torsion', () => {
    const point = base.multiply(randomScalar(randomBytes))
    expect(inSubgroup(point).equals(point)).toBe(true)
    for (const part of torsion) {
      expect(inSubgroup(point.add(part)).equals(point)).toBe(true)
      expect(sameInSubgroup(point.add(part), point)).toBe(true)
    }
    expect(sameInSubgroup(point.add(base), point)).toBe(false)
  })

  it('rejects encodings of other points', () => {
    expect(subgroupPointOf(base.toHex()).equals(base)).toBe(true)
    for (const part of torsion) {
      expect(() => subgroupPointOf(part.toHex())).toThrow('small order')
      if (part !== torsion[0] && !part.is0())
        expect(() => subgroupPointOf(base.add(part).toHex())).toThrow('outside the subgroup')
    }
    expect(() => subgroupPointOf('ff'.repeat(32))).toThrow('not a point')
    expect(ed25519.Point.ZERO.is0()).toBe(true)
  })
})

it('frames parts unambiguously', () => {
  const of = (...parts: string[]) =>
    Buffer.from(framed('l', ...parts.map((part) => Buffer.from(part)))).toString('hex')
  expect(of('ab', 'c')).not.toBe(of('a', 'bc'))
  expect(of('a', '')).not.toBe(of('a'))
})
