import fc from 'fast-check'
import { devAccount } from 'polgate-chain/accounts.ts'
import { encodePacked, keccak256, recoverAddress, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  type AttestedData,
  attestPolicyData,
  isAttested,
  policyDataHash,
} from './policyDataAttestation.ts'

const attested = {
  wasmArgs: '0x7b7d',
  data: '0x7b2261223a317d',
  policyDataAddress: '0x00000000000000000000000000000000000000AA',
  expireBlock: 77,
  wasmCid: 'bafywasm',
  secretsSchemaCid: 'bafyschema',
  chainId: 31_337,
  digestVersion: 2,
} as const
const packedForm = { ...attested, digestVersion: 1 } as const

describe('the attestation of policy data (decision C8)', () => {
  const attester = devAccount(0)

  it('signs the digest of the vector in decisions.md', () => {
    expect(policyDataHash(attested)).toBe(
      '0x74817f312c869da161d243c91dd5e9ba6949419e506ac3337c159551abf6b3bb',
    )
  })

  it('is refused in a form that is not known', () => {
    expect(() => policyDataHash({ ...attested, digestVersion: 3 })).toThrow('digest version 3')
  })

  it('is 65 bytes over the raw hash of the packed members in the first form', async () => {
    const packed = encodePacked(
      ['bytes', 'address', 'bytes4', 'string'],
      ['0x7b7d7b2261223a317d', attested.policyDataAddress, '0x0000004d', 'bafywasmbafyschema'],
    )
    expect(policyDataHash(packedForm)).toBe(keccak256(packed))
    const attestation = await attestPolicyData(packedForm, attester)
    expect(attestation).toHaveLength(2 + 130)
    expect(await recoverAddress({ hash: keccak256(packed), signature: attestation })).toBe(
      attester.address,
    )
  })

  it('is accepted from listed attesters only', async () => {
    const attestation = await attestPolicyData(attested, attester)
    const others = [devAccount(1).address, devAccount(2).address]
    expect(await isAttested(attested, attestation, [...others, attester.address])).toBe(true)
    expect(await isAttested(attested, attestation, others)).toBe(false)
    expect(
      await isAttested({ ...attested, expireBlock: 78 }, attestation, [attester.address]),
    ).toBe(false)
  })

  it('must be empty if and only if no attester is listed', async () => {
    const attestation = await attestPolicyData(attested, attester)
    expect(await isAttested(attested, '0x', [])).toBe(true)
    expect(await isAttested(attested, attestation, [])).toBe(false)
    for (const malformed of ['0x', '0x12', `0x${'ff'.repeat(65)}`, `${attestation}00`] as const) {
      expect(await isAttested(attested, malformed, [attester.address])).toBe(false)
    }
  })
})

describe('digests of policy data', () => {
  // Few different bytes, so that concatenations coincide often.
  const bytes = fc.uint8Array({ max: 1, maxLength: 3 }).map((value) => toHex(value))
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 })
  const tuples: fc.Arbitrary<AttestedData> = fc.record({
    wasmArgs: bytes,
    data: bytes,
    wasmCid: text,
    secretsSchemaCid: text,
    expireBlock: fc.constantFrom(0, 1, 256),
    chainId: fc.constantFrom(1, 10),
    policyDataAddress: fc.constantFrom(
      attested.policyDataAddress,
      '0x0000000000000000000000000000000000000001',
    ),
    digestVersion: fc.constant(2),
  })
  const identityOf = (tuple: AttestedData) => JSON.stringify(Object.entries(tuple).sort())

  it('are different for different tuples, which those of the first form are not', () => {
    const found = { 1: new Map<string, string>(), 2: new Map<string, string>() }
    let coincident = 0
    fc.assert(
      fc.property(tuples, (tuple) => {
        const identity = identityOf(tuple)
        const digest = policyDataHash(tuple)
        expect(found[2].get(digest) ?? identity).toBe(identity)
        found[2].set(digest, identity)
        const packed = policyDataHash({ ...tuple, digestVersion: 1 })
        if ((found[1].get(packed) ?? identity) !== identity) coincident++
        found[1].set(packed, identity)
      }),
      { numRuns: 3_000 },
    )
    expect(coincident).toBeGreaterThan(0)
  })

  it('of the two forms are different', () => {
    fc.assert(
      fc.property(tuples, (tuple) => {
        expect(policyDataHash({ ...tuple, digestVersion: 1 })).not.toBe(policyDataHash(tuple))
      }),
    )
  })
})
