import type { ChainReadFailure } from 'polgate-chain/errors.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { describe, expect, it } from 'vitest'
import {
  address,
  attested,
  bytes32,
  chainWith,
  entry,
  later,
  noted,
  old,
  open,
  policyAddress,
  policyClient,
  policyId,
  refusal,
  refusing,
  source,
  stageOf,
} from './suppliedStage.fixture.ts'

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
