import { createChainClient } from 'polgate-chain/client.ts'
import { ChainReadError } from 'polgate-chain/errors.ts'
import { readOwner } from 'polgate-chain/reads.ts'
import { type CaseIntent, typedIntent } from 'polgate-fixtures/caseIntent.ts'
import { policyFixture } from 'polgate-fixtures/catalogue.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import { hashTypedData, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

/** `input.intent_digest` (decision R1) in every method that builds `input`. */
let stack: LocalStack
let client: ReturnType<typeof stackClient>
let nodeIsDown = false

beforeAll(async () => {
  stack = await startTestStack({
    parts: {
      chain: (chain) => ({
        ...chain,
        async clientContext(policyClient) {
          if (nodeIsDown) throw new ChainReadError('unreachable', 'connect', { hint: 'test' })
          return await chain.clientContext(policyClient)
        },
        async signingDomain(policyClient) {
          if (nodeIsDown) throw new ChainReadError('unreachable', 'connect', { hint: 'test' })
          return await chain.signingDomain(policyClient)
        },
      }),
    },
  })
  client = stackClient(stack.description)
})
afterEach(() => {
  nodeIsDown = false
})
afterAll(() => stack.close())

/** Returns the digest, and allows if there is none: a failure must not look like that. */
const source = `package policy

default allow := false

allow if not input.intent_digest

deny contains input.intent_digest
`
const intent = () => plainIntent(stack.description) as CaseIntent
const clientOf = (name: string) => stack.description.clients[name]!
function digestFor(name: string) {
  const { domain, policyClient } = clientOf(name)
  const { chainId } = stack.description.chain
  return hashTypedData({
    ...typedIntent(intent()),
    domain: { ...domain, chainId, verifyingContract: policyClient },
  })
}
function supplied(name: string) {
  const { policyId, policyAddress } = clientOf(name)
  return { policyId, policyAddress, policy: toHex(source), policyData: [] }
}
const simulatePolicy = (policy_client: string) =>
  client.call('simulatePolicy', {
    policy_client,
    intent: intent(),
    policy: source,
    policy_data: [],
  })

describe('the digest of an intent', () => {
  it('equals what a wallet signs under the domain of the client', async () => {
    const digest = digestFor('allow-list')
    const { policyClient } = clientOf('allow-list')
    expect((await simulatePolicy(policyClient)).result).toMatchObject({
      success: true,
      evaluation_result: { result: false, parsed_intent: { intent_digest: digest } },
    })
    const policy_task_data = supplied('allow-list')
    const params = { intent: intent(), policy_client: policyClient, policy_task_data }
    expect((await client.call('simulateTask', params)).result).toMatchObject({
      success: true,
      result: { allow: false, reason: digest },
    })
  })

  it('equals what the vault owner of the fixture signs', async () => {
    const { policyClient } = clientOf('vault-owner')
    const { rpcUrl } = stack.description.chain
    const { owner } = JSON.parse(policyFixture('vault-owner').paramsText)
    expect(await readOwner(createChainClient({ rpcUrl }), policyClient)).toBe(owner)
  })

  it('is absent, not null, for a client without a domain, and without a client', async () => {
    for (const address of [clientOf('multi-oracle').policyClient, `0x${'0e'.repeat(20)}`]) {
      const { result } = await simulatePolicy(address)
      expect(result).toMatchObject({ success: true, evaluation_result: { result: true } })
      expect(JSON.stringify(result)).not.toContain('"intent_digest":')
    }
    const params = { intent: intent(), policy_task_data: supplied('allow-list') }
    expect((await client.call('simulateTask', params)).result).toMatchObject({
      success: true,
      result: { allow: true, reason: '' },
    })
  })

  it('is an error, not absent, when the node does not answer', async () => {
    nodeIsDown = true
    const { policyClient } = clientOf('allow-list')
    const failed = { success: false, error: expect.stringMatching(/^Contract read failed: /) }
    expect((await simulatePolicy(policyClient)).result).toMatchObject(failed)
    const policy_task_data = supplied('allow-list')
    const params = { intent: intent(), policy_client: policyClient, policy_task_data }
    expect((await client.call('simulateTask', params)).result).toMatchObject(failed)
  })
})
