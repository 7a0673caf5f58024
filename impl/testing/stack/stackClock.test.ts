import { spendAttestation } from 'polgate-client'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import { expect } from 'vitest'
import { test } from '../vitest/index.ts'
import type { Stack } from './stack.ts'

const hour = 3600
const latest = async ({ chain }: Stack) =>
  (await chainRpc(chain.rpcUrl, 'eth_getBlockByNumber', ['latest', false])) as {
    number: string
    timestamp: string
  }

test('chain and service move together', async ({ stack, clock }) => {
  const before = await clock.now()
  const after = await clock.advance(hour)
  expect(after.getTime() - before.getTime()).toBeGreaterThanOrEqual(hour * 1_000)
  const chainTime = Number((await latest(stack)).timestamp) * 1_000
  expect(Math.abs(chainTime - after.getTime())).toBeLessThan(3_000)
  const { cap } = stack.clients
  const task = await stack.client.createTask({
    policy_client: cap!.policyClient,
    intent: stack.intent({ value: 3n }),
  })
  expect(task.timestamp * 1_000).toBeGreaterThanOrEqual(after.getTime() - 1_000)
})

test('policies see the time', async ({ stack, client, clock }) => {
  const opens = Math.floor((await clock.now()).getTime() / 1_000) + hour
  const { policyClient: policy_client } = await stack.deployPolicy({
    rego: `package hours
default allow := false
allow if count(deny) == 0
deny contains "too early" if time.now_ns() < data.params.opens * 1000000000`,
    params: { opens },
  })
  const intent = (value: bigint) => stack.intent({ value })
  await expect(client.createTask({ policy_client, intent: intent(1n) })).toBeDeniedFor('too early')
  await clock.warpTo(opens * 1_000)
  await expect(client.createTask({ policy_client, intent: intent(2n) })).toBeAllowed()
})

test('keys expire', async ({ stack, clock }) => {
  const expiresAt = new Date((await clock.now()).getTime() + hour * 1_000)
  const client = stack.clientOf(await stack.createKey({ permissions: ['rpc_read'], expiresAt }))
  await client.getSecretsPublicKey()
  await clock.warpTo(expiresAt)
  await expect(client.getSecretsPublicKey()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('attestations expire at their block', async ({ stack, client, clock }) => {
  const policy_client = stack.clients.cap!.policyClient
  const result = await client.createTask({ policy_client, intent: stack.intent({ value: 7n }) })
  await clock.warpToBlock(result.expiration - 1)
  const walletClient = stack.walletOf(stack.accounts.sender)
  await expect(spendAttestation({ walletClient, result })).rejects.toMatchObject({
    code: 'ATTESTATION_EXPIRED',
  })
})

test('retries of webhooks become due', async ({ stack, client, clock, webhookInbox }) => {
  await client.registerWebhook(webhookInbox.registration)
  // Later ones would take minutes of real time.
  webhookInbox.answerNext(...Array.from({ length: 3 }, () => 503), 429)
  const { policyClient: policy_client } = await stack.deployPolicy({
    rego: 'package broken\nallow if 1 ==',
  })
  const failing = client.createTask({ policy_client, intent: stack.intent() })
  await expect(failing).rejects.toMatchObject({ code: 'REGO_FAILED' })
  const first = await webhookInbox.waitFor()
  expect(first.status).toBe(503)
  const begin = performance.now()
  await expect
    .poll(async () => {
      await clock.advance(hour)
      return webhookInbox.deliveries.length
    })
    .toBeGreaterThanOrEqual(4)
  expect(performance.now() - begin).toBeLessThan(60_000)
  expect(
    new Set(webhookInbox.deliveries.map(({ notification }) => notification.notification_id)).size,
  ).toBe(1)
})

test('blocks are mined', async ({ stack, clock }) => {
  const before = Number((await latest(stack)).number)
  await clock.mine()
  await clock.mine(9)
  expect(Number((await latest(stack)).number)).toBe(before + 10)
  await clock.warpToBlock(before + 15)
  await clock.warpToBlock(before + 15)
  expect(Number((await latest(stack)).number)).toBe(before + 15)
})

test('nothing goes back, and nothing else is accepted', async ({ clock }) => {
  await expect(clock.warpTo(0)).rejects.toThrow(
    /The clock of the stack is at .+ and cannot go back to 1970-01-01T00:00:00\.000Z\. Restore a snapshot/,
  )
  await expect(clock.warpTo(Number.NaN)).rejects.toThrow(/takes a Date or Unix milliseconds/)
  await expect(clock.warpToBlock(1)).rejects.toThrow(/is at block \d+ and cannot go back to 1\./)
  await expect(clock.advance(0)).rejects.toThrow(/by 1 to \d+ whole seconds, not by 0/)
  await expect(clock.advance(1.5)).rejects.toThrow(/not by 1.5/)
  await expect(clock.mine(0)).rejects.toThrow(/blocks from 1 to 100000, not 0/)
})
