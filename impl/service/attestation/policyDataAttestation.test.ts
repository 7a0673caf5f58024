import { devAccount } from 'polgate-chain/accounts.ts'
import { encodePacked, keccak256, recoverAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { attestPolicyData, isAttested, policyDataHash } from './policyDataAttestation.ts'

const attested = {
  wasmArgs: '0x7b7d',
  data: '0x7b2261223a317d',
  policyDataAddress: '0x00000000000000000000000000000000000000AA',
  expireBlock: 77,
  wasmCid: 'bafywasm',
  secretsSchemaCid: 'bafyschema',
} as const

describe('the attestation of policy data (decision C8)', () => {
  const attester = devAccount(0)

  it('is 65 bytes over the raw hash of the packed members', async () => {
    const packed = encodePacked(
      ['bytes', 'address', 'bytes4', 'string'],
      ['0x7b7d7b2261223a317d', attested.policyDataAddress, '0x0000004d', 'bafywasmbafyschema'],
    )
    expect(policyDataHash(attested)).toBe(keccak256(packed))
    const attestation = await attestPolicyData(attested, attester)
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
