import { ChainReadError, type ChainReadFailure } from 'polgate-chain/errors.ts'
import type { SuppliedData } from 'polgate-protocol/policyTaskData.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { toHex } from 'viem'
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
const policy = {
  entrypoint: 'policy.own',
  policyCid: 'bafypolicy',
  schemaCid: 'bafyschema',
  version: '1.0.0',
}
const source = toHex('package policy\n\nallow := true')
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
      attesters: [attested, earlier, later].includes(policyDataAddress.toLowerCase() as Address)
        ? [stranger.address, attester.address]
        : [],
      digestVersion: digestVersionOf(policyDataAddress),
    }),
    clientContext: async () => ({
      ...policy,
      policyAddress,
      policyId,
      policyConfig: { policyParams: '{"of":"client"}', expireAfter: 10 },
      policyData: [attested, open].map((policyDataAddress) => ({ policyDataAddress })),
      signingDomain: { name: 'client' },
    }),
    configuredPolicy: async (_: Address, id: string) => ({
      ...policy,
      policyConfig: id === policyId ? { policyParams: '{"a":1}', expireAfter: 10 } : undefined,
      policyData: [attested, open],
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
const refusing = (why: ChainReadFailure) => async (): Promise<never> => {
  throw new ChainReadError(why, 'a test', { hint: '' })
}
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
    const change = { policy: source, policyId: bytes32(4) }
    await expect(stageOf([], { client: policyClient, change })).rejects.toMatchObject({
      code: -32602,
    })
  })

  it.each(['0x', source] as const)('lists the data, whatever the policy is', async (policy) => {
    const options = { client: policyClient, change: { policy } }
    const given = [entry(), entry({ policyDataAddress: old })]
    await expect(stageOf(given, options)).rejects.toEqual(
      refusal(/policyData\[1\]\.policyDataAddress is not a PolicyData that the policy/, -32602),
    )
    const upper = attested.toUpperCase().replace('0X', '0x') as Address
    const listed = [entry({ policyDataAddress: upper }), entry({ policyDataAddress: open })]
    expect(await noted(listed, options)).toEqual(['absent', 'none_required'])
  })

  it('has parameters, entrypoint and signing domain', async () => {
    const { stage, domain, warnings } = await stageOf([], {
      client: policyClient,
      chain: { configuredPolicy: refusing('unreachable') },
    })
    expect(stage).toMatchObject({ params: '{"of":"client"}', entrypoint: 'policy.own' })
    expect([domain, warnings]).toEqual([{ name: 'client' }, []])
  })
})

describe('without a policy client', () => {
  const codes = async (...args: Parameters<typeof stageOf>) =>
    (await stageOf(...args)).warnings.map(({ code }) => code)

  it('the result says what only a client could tell', async () => {
    expect(await codes([entry()])).toEqual(['no_policy_client'])
    const { domain, warnings } = await stageOf([entry(), entry({ policyDataAddress: later })])
    expect(domain).toBeUndefined()
    expect(warnings).toMatchObject([
      { code: 'no_policy_client' },
      { code: 'unlisted_policy_data', message: expect.stringContaining('policyData[1]') },
    ])
  })

  it.each(['0x', source] as const)(
    'an id that the deployed policy does not know is refused, whatever the policy is',
    async (policy) => {
      const change = { policy, policyId: bytes32(4) }
      await expect(stageOf([], { change })).rejects.toEqual(
        refusal(
          /policy_task_data\.policyId is 0x0+4, for which policy 0x0+2 has no config/,
          -32602,
        ),
      )
    },
  )

  it('a source needs no deployed policy, but one that cannot be read is an error', async () => {
    const withSource = (why: ChainReadFailure, change: object = { policy: source }) =>
      stageOf([entry()], { chain: { configuredPolicy: refusing(why) }, change })
    const { stage, warnings } = await withSource('no-contract')
    expect(stage).toMatchObject({ params: '{}', entrypoint: 'policy.allow' })
    expect(warnings.map(({ code }) => code)).toEqual(['no_policy_client', 'policy_not_deployed'])
    await expect(withSource('no-contract', {})).rejects.toThrow('Contract read failed')
    await expect(withSource('unreachable')).rejects.toThrow('Contract read failed')
    await expect(withSource('reverted')).rejects.toThrow('Contract read failed')
  })
})

describe('parameters of the stage', () => {
  const withParams = (policyParams: string) => ({
    chain: {
      configuredPolicy: async () => ({
        ...(await chainWith().configuredPolicy(policyAddress, policyId)),
        policyConfig: { policyParams, expireAfter: 10 },
      }),
    },
  })

  it.each(['', ' ', '\n\t ', '{}'])(
    'that are %j are empty, with the schema of the policy',
    async (policyParams) => {
      const { stage } = await stageOf([], withParams(policyParams))
      expect(JSON.parse(stage.params)).toEqual({})
      expect(stage.paramsSchemaCid).toBe('bafyschema')
    },
  )

  it('are otherwise unchanged', async () => {
    expect((await stageOf([])).stage.params).toBe('{"a":1}')
    expect((await stageOf([], withParams('oops'))).stage.params).toBe('oops')
  })
})
