import { randomBytes } from 'node:crypto'
import { ed25519_FROST, x25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, it } from 'vitest'
import { scalars } from './group.ts'
import { openCertificate } from './groupKey.ts'
import { groupOf, makeKey, publicKeyOf, secretOf } from './keyGeneration.fixture.ts'
import type { KeyGeneration } from './keyGeneration.ts'

describe('key generation', () => {
  property(
    [
      fc
        .integer({ min: 2, max: 7 })
        .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 2, max: n }))),
    ],
    { numRuns: 6 },
  )(
    'creates one key for all members, whose secret follows from the required number of shares',
    async ([members, needed]) => {
      const group = groupOf(members, needed)
      const made = await makeKey(group)
      for (const { key } of made.shares) expect(key.publicKey).toBe(publicKeyOf(made))
      const first = secretOf(made.shares.slice(0, needed))
      expect(secretOf(made.shares.slice(-needed))).toBe(first)
      expect(openCertificate(made.certificate, group.roster).publicKey).toBe(publicKeyOf(made))
    },
  )

  it('creates shares that are compatible with the threshold library of the curve', async () => {
    const group = groupOf(4, 3)
    const { shares, certificate } = await makeKey(group)
    for (const { place, share } of shares) {
      const secret = {
        identifier: ed25519_FROST.Identifier.fromNumber(place),
        signingShare: scalars.toBytes(share),
      }
      const commitments = certificate.commitments.map((hex) => Buffer.from(hex, 'hex'))
      const open = { signers: { min: 3, max: 4 }, commitments, verifyingShares: {} }
      expect(() => ed25519_FROST.validateSecret(secret, open)).not.toThrow()
    }
  })

  it('certifies the confirmed commitments, and no others', async () => {
    const group = groupOf(3, 2)
    const { certificate } = await makeKey(group)
    const other = (await makeKey(group)).certificate
    const open = (change: object) => () =>
      openCertificate({ ...certificate, ...change }, group.roster)
    expect(open({})).not.toThrow()
    const [constant] = certificate.commitments
    const commitments = [constant!, other.commitments[1]!]
    expect(open({ commitments })).toThrow('differ from the confirmed ones')
    expect(open({ confirmations: certificate.confirmations.slice(1) })).toThrow('are needed')
    expect(open({ session: 'ab'.repeat(32) })).toThrow('not signed')
  })

  it('creates a different key each time, which no single member can compute', async () => {
    const group = groupOf(3, 2)
    const [one, other] = [await makeKey(group), await makeKey(group)]
    expect(publicKeyOf(one)).not.toBe(publicKeyOf(other))
    for (const { share, key } of one.shares)
      expect(Buffer.from(x25519.getPublicKey(scalars.toBytes(share))).toString('hex')).not.toBe(
        key.publicKey,
      )
  })
})

describe('steps', () => {
  it('run once and in order', async () => {
    const group = groupOf(2, 2)
    const member = (honest: KeyGeneration) => {
      expect(() => honest.offer([])).toThrow('out of order')
      return honest
    }
    await makeKey(group, { member })
    const twice = (honest: KeyGeneration): KeyGeneration => ({
      ...honest,
      commit() {
        honest.commit()
        return honest.commit()
      },
    })
    await expect(makeKey(group, { member: twice })).rejects.toThrow('out of order')
  })

  it('draws each coefficient independently', async () => {
    const sizes: number[] = []
    const group = groupOf(2, 2)
    await makeKey(group, {
      random: (size) => {
        sizes.push(size)
        return randomBytes(size)
      },
    })
    expect(sizes.filter((size) => size === 64)).toHaveLength(4)
  })
})
