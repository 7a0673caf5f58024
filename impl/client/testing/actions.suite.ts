import { randomUUID } from 'node:crypto'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { methods } from 'polgate-protocol/methods.ts'
import { toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { createTask } from '../actions/createTask.ts'
import { createBaseClient } from '../client/createBaseClient.ts'
import { taskDecision } from '../tasks/taskDecision.ts'
import { verifyWebhook } from '../webhooks/verifyWebhook.ts'
import { startRetryServer } from './retryServer.ts'
import { chainOf, clientOf, newIntent, policyClientOf } from './stackClients.ts'

/** The calls of all methods, on a gateway. */
export function actionsSuite(stack: () => LocalStack): void {
  const allowList = () => policyClientOf(stack(), 'allow-list')

  describe('actions', () => {
    it('are a method each, of the client, and as functions', async () => {
      const client = clientOf(stack())
      for (const method of Object.keys(methods)) expect(client).toHaveProperty(method)
      const { gatewayUrl: url, apiKeys, brand } = stack().description
      const base = createBaseClient({ url: `${url}/`, key: apiKeys.read, brand })
      const task = await createTask(base, {
        policy_client: allowList(),
        intent: newIntent(stack()),
      })
      expect(taskDecision(task)).toEqual({ allow: true, value: true })
    })

    it('create a task; a denial is a result', async () => {
      const client = clientOf(stack(), 'read')
      const denied = { ...newIntent(stack()), value: '0xffffffffffffffffffffffff' as const }
      const task = await client.createTask({ policy_client: allowList(), intent: denied })
      expect(task.status).toBe('success')
      expect(taskDecision(task)).toEqual({ allow: false, value: false })
      const large = { ...newIntent(stack()), value: toHex(2n * 10n ** 18n) }
      const capped = { policy_client: policyClientOf(stack(), 'cap'), intent: large }
      expect(taskDecision(await client.createTask(capped))).toEqual({ allow: false, value: 'CAP' })
    })

    it('simulate a task, a policy and oracles', async () => {
      const client = clientOf(stack())
      const intent = newIntent(stack())
      const policy_client = allowList()
      const simulated = await client.simulateTask({ policy_client, intent })
      expect(simulated.result).toEqual({ allow: true, reason: '' })
      const policy = await client.simulatePolicy({
        policy_client,
        intent,
        policy: 'package policy\n\nallow := input.value == data.params.value',
        policy_data: [],
        policy_params: { value: Number(intent.value) },
      })
      expect(policy.evaluation_result).toMatchObject({ result: true, expire_after: 0 })
      const failed = client.simulatePolicy({
        policy_client,
        intent,
        policy: 'package policy\n\nallow := ',
        policy_data: [],
      })
      await expect(failed).rejects.toMatchObject({ code: 'REGO_FAILED' })
      const { policyData } = stack().description.clients['echoed-approval']!
      const source = policyData[0]!.address
      const wasm_args = toHex(JSON.stringify({ approved: true }))
      const chain_id = chainOf(stack()).id
      await expect(
        client.simulatePolicyData({ policy_data_address: source, chain_id, wasm_args }),
      ).resolves.toMatchObject({
        success: true,
        policy_data: { specifier: policyData[0]!.wasmCid },
      })
      const trapping = stack().description.clients['trapping-oracle']!.policyData[0]!.address
      await expect(
        client.simulatePolicyData({ policy_data_address: trapping, chain_id }),
      ).rejects.toMatchObject({ code: 'ORACLE_FAILED' })
      await expect(
        client.simulatePolicyData({ policy_data_address: source, chain_id: chain_id + 1 }),
      ).rejects.toMatchObject({ code: expect.any(String) })
    })

    it('throw by cause', async () => {
      const intent = newIntent(stack())
      const nobody = `0x${'99'.repeat(20)}` as const
      const params = { policy_client: allowList(), intent }
      const code = (expected: string) => expect.objectContaining({ code: expected })
      await expect(clientOf(stack(), 'expired').createTask(params)).rejects.toEqual(
        code('UNAUTHORIZED'),
      )
      await expect(clientOf(stack(), 'none').createTask(params)).rejects.toEqual(code('FORBIDDEN'))
      const client = clientOf(stack())
      const unknown = { policy_client: nobody, intent }
      await expect(client.createTask(unknown)).rejects.toEqual(code('POLICY_NOT_FOUND'))
      await expect(client.sendTask(unknown)).rejects.toEqual(code('POLICY_NOT_FOUND'))
      const invalid = { policy_client: allowList(), intent: { ...intent, value: '0x00' as const } }
      await expect(client.createTask(invalid)).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        member: 'intent.value',
      })
      await expect(
        client.createTask({ ...params, intent_signature: '0x12' }),
      ).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        member: 'intent_signature',
      })
      await expect(client.sendTask({ ...params, intent_signature: '0x12' })).rejects.toMatchObject({
        member: 'intent_signature',
      })
      const trapping = { ...params, policy_client: policyClientOf(stack(), 'trapping-oracle') }
      await expect(client.createTask(trapping)).rejects.toMatchObject({
        code: 'ORACLE_FAILED',
        operatorErrors: expect.arrayContaining([
          expect.objectContaining({ error_code: expect.any(Number) }),
        ]),
      })
      const old = { ...params, policy_client: policyClientOf(stack(), 'policy-of-version-9') }
      await expect(client.createTask(old)).rejects.toEqual(code('INCOMPATIBLE_VERSION'))
      await expect(client.createTask({ ...params, timeout: 0.001 })).rejects.toEqual(
        code('TASK_TIMEOUT'),
      )
      await expect(clientOf(stack(), 'rpc', { brand: 'other' }).createTask(params)).rejects.toEqual(
        code('METHOD_NOT_FOUND'),
      )
      await expect(
        client.getIdentityEncrypted({ data_ref_id: `0x${'00'.repeat(32)}` }),
      ).rejects.toEqual(code('NOT_FOUND'))
      await expect(
        client.getConfidentialData({ data_ref_id: `0x${'00'.repeat(32)}` }),
      ).rejects.toEqual(code('NOT_FOUND'))
    })

    it('throw where operators are missing', async () => {
      const client = clientOf(stack())
      const { operators } = stack()
      const params = () => ({ policy_client: allowList(), intent: newIntent(stack()) })
      try {
        for (const operator of operators.slice(0, 2)) await operator.stop()
        await expect(client.createTask(params())).rejects.toMatchObject({
          code: 'QUORUM_NOT_REACHED',
          taskId: expect.stringMatching(/^0x/),
          operatorErrors: expect.arrayContaining([expect.objectContaining({ retryable: true })]),
        })
        for (const operator of operators) await operator.stop()
        await expect(client.simulateTask(params(), { retries: 1 })).rejects.toMatchObject({
          code: 'UNAVAILABLE',
          details: 'No operators available',
        })
      } finally {
        for (const operator of operators) await operator.start()
      }
      await expect(client.createTask(params())).resolves.toMatchObject({ status: 'success' })
    })

    it('register a webhook, whose notifications verify', async () => {
      const client = clientOf(stack())
      const receiver = await startRetryServer()
      const secret = randomUUID()
      try {
        await client.registerWebhook({ url: receiver.url, secret })
        const params = {
          policy_client: policyClientOf(stack(), 'trapping-oracle'),
          intent: newIntent(stack()),
        }
        const failed = await client.createTask(params).catch((error: unknown) => error)
        await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
        const { body, headers } = receiver.received[0]!
        const { brand } = stack().description
        const notification = await verifyWebhook(body, headers, secret, { brand })
        expect(notification.task_id).toBe((failed as { taskId: string }).taskId)
        await expect(verifyWebhook(body, headers, 'other', { brand })).rejects.toThrow(
          'does not match',
        )
        await expect(client.registerWebhook({ url: 'ftp://example.com/' })).rejects.toMatchObject({
          code: 'INVALID_PARAMS',
          member: 'url',
        })
      } finally {
        await client.unregisterWebhook()
        await receiver.close()
      }
    })
  })
}
