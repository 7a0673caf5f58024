import { ChainReadError } from 'polgate-chain/errors.ts'
import type { SuppliedData } from 'polgate-protocol/policyTaskData.ts'
import type { Address, Data } from 'polgate-protocol/scalars.ts'
import { stringToHex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { type AttestedData, attestPolicyData } from '../attestation/policyDataAttestation.ts'
import { suppliedStage } from './suppliedStage.ts'
import type { TaskChain } from './taskChain.ts'

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as const
const bytes32 = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const

const attester = privateKeyToAccount(bytes32(7))
const stranger = privateKeyToAccount(bytes32(8))
const [attested, open, old] = [address(0xa), address(0xb), address(0xc)]
/** Contracts of an earlier, and of a later form of the digest. */
const [earlier, later] = [address(0xd), address(0xe)]
const digestVersionOf = (source: Address) => (source === earlier ? 1 : source === later ? 3 : 2)
const policyClient = address(1)
const [policyAddress, policyId] = [address(2), bytes32(3)]
const block = 100
const chainId = 31_337

const chainWith = (more: Partial<TaskChain> = {}): TaskChain =>
  ({
    chainId,
    latestBlock: async () => block,
    policyData: async (policyDataAddress: Address) => ({
      policyDataAddress,
      wasmCid: 'bafywasm',
      secretsSchemaCid: '',
      expireAfter: 10,
      version: policyDataAddress === old ? '0.9.0' : '1.0.0',
      attesters: [attested, earlier, later].includes(policyDataAddress)
        ? [stranger.address, attester.address]
        : [],
      digestVersion: digestVersionOf(policyDataAddress),
    }),
    clientContext: async () => ({ policyAddress, policyId }),
    configuredPolicy: async () => ({
      entrypoint: 'policy.allow',
      policyCid: 'bafypolicy',
      schemaCid: 'bafyschema',
      version: '1.0.0',
      policyParams: '0x7b2261223a317d',
    }),
    ...more,
  }) as unknown as TaskChain

const stageOf = (
  policyData: readonly SuppliedData[],
  options: { client?: Address; chain?: Partial<TaskChain>; change?: object } = {},
) =>
  suppliedStage(
    {
      chain: chainWith(options.chain),
      minimumVersions: { policy: '1.0.0', policyData: '1.0.0' },
    },
    { policyId, policyAddress, policy: '0x', policyData: [...policyData], ...options.change },
    options.client,
  )

const entry = (more: Partial<SuppliedData> = {}): SuppliedData => ({
  wasmArgs: '0x7b7d',
  data: toHex('{"feed":{"price":1}}'),
  policyDataAddress: attested,
  expireBlock: block + 1,
  ...more,
})
async function signedBy(
  account: typeof attester,
  more: Partial<SuppliedData> = {},
  source: Partial<AttestedData> = {},
): Promise<SuppliedData> {
  const unsigned = entry(more)
  const digestVersion = digestVersionOf(unsigned.policyDataAddress)
  const own = { wasmCid: 'bafywasm', secretsSchemaCid: '', chainId, digestVersion }
  const attestation = await attestPolicyData({ ...unsigned, ...own, ...source }, account)
  return { ...unsigned, attestation }
}
const noted = async (...args: Parameters<typeof stageOf>) =>
  (await stageOf(...args)).attestations.map(({ attestation }) => attestation)
const refusal = (what: string | RegExp, code = -32620) =>
  expect.objectContaining({ code, message: expect.stringMatching(what) })

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

  it('may be missing, which the result reports', async () => {
    expect(await noted([entry(), entry({ policyDataAddress: open })])).toEqual(['absent', 'absent'])
  })

  it('are empty if the PolicyData lists no attesters', async () => {
    expect(await noted([entry({ policyDataAddress: open, attestation: '0x' })])).toEqual([
      'none_required',
    ])
    const given = await signedBy(attester, { policyDataAddress: open })
    await expect(stageOf([given])).rejects.toEqual(refusal('lists no attesters'))
  })

  it.each<[string, () => Promise<SuppliedData>]>([
    ['empty', async () => entry({ attestation: '0x' })],
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
    const given = entry({ policyDataAddress: old, attestation: '0x' })
    await expect(stageOf([given])).rejects.toEqual(refusal('Incompatible policy data', -32619))
  })

  it('are rejected if their contract cannot be read', async () => {
    const policyData = async () => {
      throw new ChainReadError('unreachable', 'no node', { hint: '' })
    }
    await expect(stageOf([await signedBy(attester)], { chain: { policyData } })).rejects.toThrow(
      'Contract read failed',
    )
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

describe('a policy client in addition to the data', () => {
  it('uses the policy', async () => {
    const change = {
      policyAddress: policyAddress.toUpperCase().replace('0X', '0x'),
      policyId: policyId.toUpperCase().replace('0X', '0x'),
    }
    expect(await noted([entry()], { client: policyClient, change })).toEqual(['absent'])
  })

  it.each([
    ['policyId', bytes32(4), policyId],
    ['policyAddress', address(4), policyAddress],
  ])('of another %s is rejected', async (member, value, expected) => {
    const options = { client: policyClient, change: { [member]: value } }
    await expect(stageOf([entry()], options)).rejects.toEqual(
      refusal(
        `policy_task_data.${member} is not that of policy_client, which is ${expected}`,
        -32602,
      ),
    )
  })

  it('is also checked with a supplied policy', async () => {
    const change = { policy: toHex('package policy\n\nallow := true'), policyId: bytes32(4) }
    await expect(stageOf([], { client: policyClient, change })).rejects.toMatchObject({
      code: -32602,
    })
  })
})

describe('parameters of the stage', () => {
  const withParams = (policyParams: Data) => ({
    chain: { configuredPolicy: async () => ({ ...(await configured()), policyParams }) },
  })
  const configured = () => chainWith().configuredPolicy(policyAddress, policyId)

  it.each(['0x', stringToHex(' '), stringToHex('\n\t '), stringToHex('{}')] as const)(
    'that are %s are empty, with the schema of the policy',
    async (policyParams) => {
      const { stage } = await stageOf([], withParams(policyParams))
      expect(JSON.parse(stage.params)).toEqual({})
      expect(stage.paramsSchemaCid).toBe('bafyschema')
    },
  )

  it('are otherwise unchanged', async () => {
    expect((await stageOf([])).stage.params).toBe('{"a":1}')
    expect((await stageOf([], withParams(stringToHex('oops')))).stage.params).toBe('oops')
  })
})
