import type { SuppliedData } from 'polgate-protocol/policyTaskData.ts'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import {
  attested,
  attester,
  block,
  bytes32,
  earlier,
  entry,
  later,
  noted,
  old,
  open,
  refusal,
  refusing,
  signedBy,
  stageOf,
  stranger,
} from './suppliedStage.fixture.ts'

describe('attestations of supplied data (decision C8)', () => {
  it('of a listed attester are verified', async () => {
    expect(await noted([await signedBy(attester), await signedBy(stranger)])).toEqual([
      'verified',
      'verified',
    ])
  })

  it('are verified in the form that the PolicyData verifies, and in no other', async () => {
    expect(await noted([await signedBy(attester, { policyDataAddress: earlier })])).toEqual([
      'verified',
    ])
    for (const [policyDataAddress, digestVersion] of [
      [earlier, 2],
      [attested, 1],
    ] as const) {
      const given = await signedBy(attester, { policyDataAddress }, { digestVersion })
      await expect(stageOf([given])).rejects.toEqual(refusal('is not attested'))
    }
    const unknown = entry({ policyDataAddress: later, attestation: `0x${'11'.repeat(65)}` })
    await expect(stageOf([unknown])).rejects.toEqual(refusal('digest version 3', -32619))
  })

  it.each([undefined, '0x'] as const)(
    'may be missing (%s), which the result reports',
    async (attestation) => {
      const missing = attestation === undefined ? {} : { attestation }
      const entries = [entry(missing), entry({ ...missing, policyDataAddress: open })]
      expect(await noted(entries)).toEqual(['absent', 'none_required'])
      const policyData = refusing('no-contract')
      expect(await noted([entry(missing)], { chain: { policyData } })).toEqual(['absent'])
      await expect(stageOf([entry({ ...missing, policyDataAddress: old })])).rejects.toEqual(
        refusal('Incompatible policy data', -32619),
      )
      const unreadable = stageOf([entry(missing)], {
        chain: { policyData: refusing('unreachable') },
      })
      await expect(unreadable).rejects.toThrow('Contract read failed')
    },
  )

  it('are empty if the PolicyData lists no attesters', async () => {
    const given = await signedBy(attester, { policyDataAddress: open })
    await expect(stageOf([given])).rejects.toEqual(refusal('lists no attesters'))
  })

  it.each<[string, () => Promise<SuppliedData>]>([
    ['64 bytes', async () => entry({ attestation: `0x${'11'.repeat(64)}` })],
    [
      '65 bytes that are not a signature',
      async () => entry({ attestation: `0x${'ff'.repeat(65)}` }),
    ],
    ['by an unlisted account', () => signedBy(privateKeyToAccount(bytes32(9)))],
    ['over other data', async () => ({ ...(await signedBy(attester)), data: toHex('{"a":1}') })],
    ['over other arguments', async () => ({ ...(await signedBy(attester)), wasmArgs: '0x' })],
    [
      'over another expiry',
      async () => ({ ...(await signedBy(attester)), expireBlock: block + 2 }),
    ],
    ['over another component', () => signedBy(attester, {}, { wasmCid: 'bafyother' })],
  ])('are rejected if %s', async (_, make) => {
    const wrong = await make()
    await expect(stageOf([await signedBy(attester), wrong])).rejects.toEqual(
      refusal(/^Policy data rejected: policy_task_data\.policyData\[1\] is not attested: /),
    )
  })

  it('are not checked if the contract has another version', async () => {
    const given = entry({ policyDataAddress: old, attestation: `0x${'11'.repeat(65)}` })
    await expect(stageOf([given])).rejects.toEqual(refusal('Incompatible policy data', -32619))
  })

  it('are rejected if their contract cannot be read', async () => {
    for (const why of ['unreachable', 'reverted', 'no-contract'] as const) {
      const chain = { policyData: refusing(why) }
      await expect(stageOf([await signedBy(attester)], { chain })).rejects.toThrow(
        'Contract read failed',
      )
    }
  })
})

describe('expiry of supplied data', () => {
  it.each([1, block - 1, block])('at block %i is rejected', async (expireBlock) => {
    for (const wrong of [entry({ expireBlock }), await signedBy(attester, { expireBlock })])
      await expect(stageOf([entry(), wrong])).rejects.toEqual(
        refusal(
          `policyData\\[1\\] expired at block ${expireBlock}; the chain is at block ${block}`,
        ),
      )
  })

  it.each([block + 1, 2 ** 32 - 1, 0])('at block %i is accepted', async (expireBlock) => {
    expect(await noted([entry({ expireBlock })])).toEqual(['absent'])
  })

  it('is not checked if none is given', async () => {
    const latestBlock = async () => {
      throw new Error('not asked')
    }
    expect(await noted([entry({ expireBlock: 0 })], { chain: { latestBlock } })).toEqual(['absent'])
  })
})
