import { deployPolicy, deployPolicyClient, deployProtocol } from 'polgate-chain/deploy.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { fixtureApiKey } from 'polgate-fixtures/host/fixtureHost.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import { sealSecrets } from 'polgate-service/envelopes/secrets.ts'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LocalStack } from './localStack.ts'
import { plainIntent, stackClient } from './testing/stackClient.ts'
import { startTestStack } from './testing/startTestStack.ts'

/** A policy that detects a stale price only by the clock of its oracle. */
const policySource = `package policy

default allow := false

feed := data.wasm.price_feed

allow if {
	feed.price > 0
	feed.updated_at <= feed.read_at + 60
	feed.read_at - feed.updated_at <= 300
}
`

let stack: LocalStack
let policyClient: Address

beforeAll(async () => {
  stack = await startTestStack()
  const { chain, accounts, clients } = stack.description
  const account = privateKeyToAccount(accounts.owner.privateKey)
  const owner = await createTransactor({ rpcUrl: chain.rpcUrl, account })
  const content = createContentStore({ directory: stack.config.content!.directory! })
  const policyData = clients['priced-transfer']!.policyData[0]!.address
  const policy = await deployPolicy(owner, await deployProtocol(owner), {
    entrypoint: 'policy.allow',
    policyCid: await content.put(Buffer.from(policySource)),
    policyData: [policyData],
  })
  policyClient = await deployPolicyClient(owner, chain, { kind: 'sample', policy })
  const envelope = await sealSecrets({
    secrets: { PRICE_API_KEY: fixtureApiKey, PRICE_FEED_URL: stack.description.fixtureHostUrl },
    policyClient,
    chainId: chain.chainId,
    recipientPublicKey: stack.service.encryptionKeys.secretsPublicKey,
  })
  const { result } = await stackClient(stack.description).call('storeEncryptedSecrets', {
    policy_client: policyClient,
    policy_data_address: policyData,
    envelope,
  })
  expect(result).toMatchObject({ success: true })
})
afterAll(() => stack?.close())

let value = 0
async function decision(): Promise<bigint> {
  value += 1
  const { result } = await stackClient(stack.description).call('createTask', {
    policy_client: policyClient,
    intent: plainIntent(stack.description, value),
    wasm_args: encodeWasmArgs({ symbol: 'ETH' }, {}),
  })
  expect(result).toMatchObject({ status: 'success' })
  const encoded = Buffer.from(result!.task_response!.evaluation_result)
  return BigInt(`0x${encoded.toString('hex')}`)
}

test('a task is denied if its feed is older than the limit, and allowed otherwise', async () => {
  expect(await decision()).toBe(1n)
  stack.fixtureHost.setFeedAge(1_500)
  expect(await decision()).toBe(0n)
  stack.fixtureHost.setFeedAge(200)
  expect(await decision()).toBe(1n)
  stack.fixtureHost.setFeedAge(-1_500)
  expect(await decision()).toBe(0n)
})

test('no two requests to the feed have the same id', async () => {
  stack.fixtureHost.reset()
  await decision()
  await decision()
  const ids = stack.fixtureHost.requestIds()
  expect(ids.length).toBeGreaterThanOrEqual(4)
  expect(new Set(ids).size).toBe(ids.length)
})
