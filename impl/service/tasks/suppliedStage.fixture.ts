import { ChainReadError, type ChainReadFailure } from 'polgate-chain/errors.ts'
import type { SuppliedData } from 'polgate-protocol/policyTaskData.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { type AttestedData, attestPolicyData } from '../attestation/policyDataAttestation.ts'
import { suppliedStage } from './suppliedStage.ts'
import type { TaskChain } from './taskChain.ts'

/** A policy, its client and PolicyData on a chain of functions, and the stage of data for them. */

export const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as const
export const bytes32 = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const

export const attester = privateKeyToAccount(bytes32(7))
export const stranger = privateKeyToAccount(bytes32(8))
export const [attested, open, old] = [address(0xa), address(0xb), address(0xc)]
/** Contracts of an earlier, and of a later form of the digest. */
export const [earlier, later] = [address(0xd), address(0xe)]
const digestVersionOf = (source: Address) => (source === earlier ? 1 : source === later ? 3 : 2)
export const policyClient = address(1)
export const [policyAddress, policyId] = [address(2), bytes32(3)]
const policy = {
  entrypoint: 'policy.own',
  policyCid: 'bafypolicy',
  schemaCid: 'bafyschema',
  version: '1.0.0',
}
export const source = toHex('package policy\n\nallow := true')
export const block = 100
const chainId = 31_337

export const chainWith = (more: Partial<TaskChain> = {}): TaskChain =>
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

export const stageOf = (
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

export const entry = (more: Partial<SuppliedData> = {}): SuppliedData => ({
  wasmArgs: '0x7b7d',
  data: toHex('{"feed":{"price":1}}'),
  policyDataAddress: attested,
  expireBlock: block + 1,
  ...more,
})
export async function signedBy(
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
export const noted = async (...args: Parameters<typeof stageOf>) =>
  (await stageOf(...args)).attestations.map(({ attestation }) => attestation)
export const refusing = (why: ChainReadFailure) => async (): Promise<never> => {
  throw new ChainReadError(why, 'a test', { hint: '' })
}
export const refusal = (what: string | RegExp, code = -32620) =>
  expect.objectContaining({ code, message: expect.stringMatching(what) })
