import { devAccount } from 'polgate-chain/accounts.ts'
import { createChainClient } from 'polgate-chain/client.ts'
import { deployPolicyClient } from 'polgate-chain/deploy.ts'
import { ChainReadError } from 'polgate-chain/errors.ts'
import { readClientContext } from 'polgate-chain/reads.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import { maxExpireAfter } from 'polgate-protocol/expiryBlock.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createChainReads } from './chainReads.ts'
import { spendWarnings } from './spendWarnings.ts'
import type { TaskChain } from './taskChain.ts'

describe('warnings about an attestation', () => {
  const warningsWith = (spendRefusals: TaskChain['spendRefusals'], left = 60_000) =>
    spendWarnings(
      createChainReads({ spendRefusals } as TaskChain),
      { task: {} as never, calldata: '0x' },
      { signal: new AbortController().signal, left },
    )

  it.each([
    ['ThresholdBelowMinimum', 'threshold_below_minimum'],
    ['QuorumMissing', 'quorum_missing'],
    ['IntentForAnotherChain', 'other_chain'],
    ['ReferenceBlockInFuture', 'not_yet_valid'],
    ['AttestationExpired', 'expired'],
    ['PolicyDataExpired', 'expired'],
    ['PolicyIdNotCurrent', 'policy_changed'],
    ['PolicyConfigMismatch', 'policy_changed'],
    ['PolicyAddressMismatch', 'policy_changed'],
    ['InvalidSignature', 'refused'],
  ])('map %s to %s', async (errorName, code) => {
    const refusal = { revert: { errorName, args: [1n] }, message: 'no' }
    const message = `The attestation cannot be spent: ${errorName}(1): no`
    expect(await warningsWith(async () => [refusal])).toEqual([{ code, message }])
  })

  it('are the custom error alone where it says all', async () => {
    const refusal = { revert: { errorName: 'InvalidSignature', args: [] }, message: '' }
    const message = 'The attestation cannot be spent: InvalidSignature()'
    expect(await warningsWith(async () => [refusal])).toEqual([{ code: 'refused', message }])
  })

  it('are bounded, whatever a contract reverts with', async () => {
    const message = 'x'.repeat(1_000_000)
    const [warning] = await warningsWith(async () => [{ revert: undefined, message }])
    expect(warning!.code).toBe('refused')
    expect(warning!.message.length).toBeLessThan(600)
  })

  it('report not_checked if the chain is unavailable or slow', async () => {
    const gone = new ChainReadError('unreachable', 'connection refused', { hint: 'none' })
    expect(await warningsWith(() => Promise.reject(gone))).toEqual([
      { code: 'not_checked', message: expect.stringContaining('connection refused') },
    ])
    expect(await warningsWith(() => new Promise(() => {}), 20)).toEqual([
      { code: 'not_checked', message: expect.stringContaining('did not answer in time') },
    ])
  })

  it('are aborted with the task', async () => {
    const closing = new AbortController()
    const asked = spendWarnings(
      createChainReads({ spendRefusals: () => new Promise(() => {}) } as unknown as TaskChain),
      { task: {} as never, calldata: '0x' },
      { signal: closing.signal, left: 60_000 },
    )
    closing.abort(new Error('the end of the task'))
    await expect(asked).rejects.toThrow('the end of the task')
  })
})

describe('createTask', () => {
  let stack: LocalStack
  let twist: Partial<TaskChain> = {}
  beforeAll(async () => {
    stack = await startTestStack({
      parts: {
        chain: (chain) =>
          new Proxy(chain, { get: (target, name) => Reflect.get({ ...target, ...twist }, name) }),
      },
    })
  })
  afterEach(() => {
    twist = {}
  })
  afterAll(() => stack.close())

  let value = 0
  const create = async (params: Record<string, unknown> = {}, intent: object = {}) => {
    value += 1
    const { result } = await stackClient(stack.description).call('createTask', {
      policy_client: stack.description.clients['allow-list']!.policyClient,
      intent: { ...plainIntent(stack.description, value), ...intent },
      include_validate_calldata: true,
      ...params,
    })
    expect(result).toMatchObject({ status: 'success', error: null })
    return result!
  }
  const codesOf = async (...given: Parameters<typeof create>) =>
    ((await create(...given)).warnings ?? []).map(({ code }) => code)

  it('warns of what the chain would reject, and of nothing else', async () => {
    expect(await create()).not.toHaveProperty('warnings')
    expect(await codesOf({ quorum_threshold_percentage: 66 })).toEqual(['threshold_below_minimum'])
    expect(await codesOf({}, { chain_id: '0x1' })).toEqual(['other_chain'])
    const both = { quorum_threshold_percentage: 0 }
    expect(await codesOf(both, { chain_id: '0x1' })).toEqual([
      'threshold_below_minimum',
      'other_chain',
    ])
  })

  it('says each thing once', async () => {
    const both = { quorum_threshold_percentage: 0 }
    for (const { message } of (await create(both, { chain_id: '0x1' })).warnings ?? []) {
      const names = message.match(/[A-Za-z]+\(/g) ?? []
      expect(names, message).toHaveLength(1)
      expect(message).not.toContain('Contract read failed')
    }
  })

  it('does not query the chain without a request for calldata', async () => {
    twist = { spendRefusals: () => Promise.reject(new Error('asked')) }
    const params = { include_validate_calldata: false, quorum_threshold_percentage: 1 }
    expect(await create(params)).not.toHaveProperty('warnings')
  })

  it('succeeds if the chain is unavailable', async () => {
    twist = { spendRefusals: () => Promise.reject(new Error('a secret of the house')) }
    const { warnings } = await create()
    expect(warnings).toMatchObject([{ code: 'not_checked' }])
    expect(JSON.stringify(warnings)).not.toContain('secret of the house')
  })

  it.each([
    [0, ['expired']],
    [maxExpireAfter, []],
  ])(
    'returns an expiry that is a block number: a lifetime of %i blocks',
    async (expireAfter, codes) => {
      const { chain, clients } = stack.description
      const client = createChainClient({ rpcUrl: chain.rpcUrl })
      const { policyAddress: policy, policyClient } = clients['allow-list']!
      const { policyConfig } = await readClientContext({ client, policyClient })
      // An account that the service does not send from.
      const transactor = await createTransactor({ rpcUrl: chain.rpcUrl, account: devAccount(9) })
      const { policyParams } = policyConfig
      const given = { kind: 'sample', policy, policyParams, expireAfter } as const
      const own = await deployPolicyClient(transactor, chain, given)
      const { reference_block, expiration, warnings = [] } = await create({ policy_client: own })
      expect(expiration).toBe(reference_block! + expireAfter)
      expect(warnings.map(({ code }) => code)).toEqual(codes)
    },
  )
})
