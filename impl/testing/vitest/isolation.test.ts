import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spendAttestation, type TaskSuccess } from 'polgate-client'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import { expect } from 'vitest'
import type { DeployedPolicy } from '../index.ts'
import type { Stack } from '../stack/stack.ts'
import { test, workerStack } from './index.ts'

const sanctions = join(
  fileURLToPath(new URL('../../../fixtures/oracles/', import.meta.url)),
  'sanctions/oracle.js',
)
const rego = `package screened

default allow := false
allow if count(deny) == 0
deny contains data.wasm.sanctions.error if data.wasm.sanctions.error
deny contains "listed" if data.wasm.sanctions.listed
`

let policy: DeployedPolicy
test.beforeAll(async () => {
  const stack = await workerStack()
  policy = await stack.deployPolicy({
    rego,
    oracles: [{ component: sanctions, name: 'sanctions', secretsSchema: { type: 'object' } }],
  })
})

const blockOf = async ({ chain }: Stack) => Number(await chainRpc(chain.rpcUrl, 'eth_blockNumber'))
const balanceOf = async ({ chain }: Stack, address: string) =>
  BigInt(String(await chainRpc(chain.rpcUrl, 'eth_getBalance', [address, 'latest'])))
const control = async ({ connection }: Stack, path: string, method = 'GET') =>
  (await fetch(connection.description.controlUrl + path, { method })).json()

/** What the first test did. */
let changed: { task: TaskSuccess; block: number; balance: bigint; key: string; account: string }
const value = 10n ** 18n

test('a test changes everything', async ({ stack, client, clock, accounts, webhookInbox }) => {
  const block = await blockOf(stack)
  const balance = await balanceOf(stack, stack.accounts.sender.address)

  const policy_client = stack.clients.cap!.policyClient
  await stack.setBalance(policy_client, 10n)
  const task = await client.createTask({ policy_client, intent: stack.intent({ value: 5n }) })
  await expect(task).not.toBeSpent()
  await spendAttestation({ walletClient: stack.walletOf(stack.accounts.sender), result: task })
  await expect(task).toBeSpent()
  await stack.explorer.waitForExplorerTask({ taskId: task.task_id }, { pollingIntervalMs: 50 })

  await client.storeSecrets({
    policyClient: policy.policyClient,
    policyDataAddress: policy.policyData[0]!.address,
    secrets: { TOKEN: 'of this test' },
  })
  await stack.oracles.mock('sanctions.example', { '*': { listed: false } })
  await client.simulatePolicyDataWithClient({
    policy_client: policy.policyClient,
    policy_data_address: policy.policyData[0]!.address,
  })
  await client.registerWebhook(webhookInbox.registration)
  const key = await stack.createKey({ permissions: ['rpc_read'] })
  await stack.clientOf(key).getSecretsPublicKey()
  const { address: account } = await accounts.create({ balance: value })
  expect(await balanceOf(stack, account)).toBe(value)
  await control(stack, '/operators/0/stop', 'POST')
  await clock.advance(10 * 24 * 3600)
  await clock.mine(50)
  changed = { task, block, balance, key, account }
})

test('and the next one finds nothing of it', async ({ stack, client, clock, webhookInbox }) => {
  expect(await blockOf(stack)).toBe(changed.block)
  expect(await balanceOf(stack, stack.accounts.sender.address)).toBe(changed.balance)
  expect(await balanceOf(stack, changed.account)).toBe(0n)
  expect(Math.abs((await clock.now()).getTime() - Date.now())).toBeLessThan(5_000)
  const operators = (await control(stack, '/operators')) as { running: boolean }[]
  expect(operators.map(({ running }) => running)).toEqual([true, true, true, true])

  await expect(stack.clientOf(changed.key).getSecretsPublicKey()).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
  await expect(client.unregisterWebhook()).rejects.toThrow('No webhook registered')
  expect(webhookInbox.deliveries).toEqual([])
  await expect(
    client.simulatePolicyDataWithClient({
      policy_client: policy.policyClient,
      policy_data_address: policy.policyData[0]!.address,
    }),
  ).rejects.toMatchObject({ code: 'MISSING_SECRETS' })
  await expect(stack.explorer.getTask({ taskId: changed.task.task_id })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  expect(await stack.oracles.refusedHosts()).toEqual([])
})

test('an attestation that was spent is unspent again', async ({ stack, client }) => {
  const policy_client = stack.clients.cap!.policyClient
  await stack.setBalance(policy_client, 10n)
  const task = await client.createTask({ policy_client, intent: stack.intent({ value: 5n }) })
  // From the same state the same intent makes the same task.
  expect(task.task_id).toBe(changed.task.task_id)
  await expect(task).not.toBeSpent()
  const walletClient = stack.walletOf(stack.accounts.sender)
  const { executed } = await spendAttestation({ walletClient, result: task })
  expect(executed).toBe(true)
  await expect(spendAttestation({ walletClient, result: task })).rejects.toMatchObject({
    code: 'ATTESTATION_SPENT',
  })
})

test('what beforeAll deployed is there', async ({ stack, client }) => {
  const call = { policy_client: policy.policyClient, intent: stack.intent() }
  await expect(client.createTask(call)).toBeDeniedFor('wasm_args needs sanctions_url and address')
})

test('a snapshot restores a state within a test, any number of times', async ({ stack, clock }) => {
  const block = await blockOf(stack)
  const snapshot = await stack.snapshot()
  for (let time = 0; time < 2; time++) {
    await clock.mine(3)
    const later = await stack.snapshot()
    await snapshot.restore()
    expect(await blockOf(stack)).toBe(block)
    await expect(later.restore()).rejects.toThrow(
      /The stack cannot restore the snapshot: Unknown snapshot snapshot_\d+\. Restoring a snapshot drops/,
    )
  }
  await snapshot.drop()
  await expect(snapshot.restore()).rejects.toMatchObject({ code: 'stack' })
})
