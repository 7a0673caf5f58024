import { randomUUID } from 'node:crypto'
import type { RegisterWebhookParams } from 'polgate-protocol/methods/registerWebhook.ts'
import type { FailureType, TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { Store } from '../store/openStore.ts'
import { openEmptyStore } from '../store/testing/openEmptyStore.ts'
import { createWebhooks, type Webhooks, type WebhooksOptions } from './webhooks.ts'

export const gatewayKey = '5a'.repeat(32)

/** A store with API keys and failing tasks, and the webhooks on it. */
export type OutboxHarness = {
  readonly store: Store
  readonly webhooks: Webhooks
  /** The log as text. */
  readonly logged: string[]
  /** A key, with a webhook if parameters are given. */
  key(params?: RegisterWebhookParams): Promise<string>
  /** Ends a task of the key as failed, and wakes the webhooks. */
  fail(apiKeyId: string, failureType?: FailureType): Promise<TaskFailureNotification>
  outcome(notification: TaskFailureNotification): Promise<string | null>
  /** Closes the webhooks and opens new ones on the same store. */
  restart(options?: Partial<WebhooksOptions>): Promise<Webhooks>
  close(): Promise<void>
}

export async function openOutbox(
  options: Partial<WebhooksOptions> & { readonly url?: string | undefined } = {},
): Promise<OutboxHarness> {
  const { url, ...more } = options
  const store = await openEmptyStore(url)
  const logged: string[] = []
  const log = (fields: Record<string, unknown>, message: string) => {
    const err = fields.err instanceof Error ? (fields.err.stack ?? '') : ''
    logged.push(`${message} ${JSON.stringify(fields)} ${err}`)
  }
  const start = (other: Partial<WebhooksOptions> = {}) =>
    createWebhooks({
      store,
      brand: { signatureHeader: 'X-Service-Signature' },
      gatewayKey,
      userAgent: 'test/1',
      allowLoopback: true,
      clock: Date.now,
      log: { warn: log, info: log },
      ...more,
      ...other,
    })
  let webhooks = start()
  let tasks = 0
  return {
    store,
    get webhooks() {
      return webhooks
    },
    logged,
    async key(params) {
      const { record } = await store.apiKeys.create({ name: 'test', permissions: ['rpc'] })
      if (params !== undefined)
        await webhooks.registry.register(params, { keyId: record.id, rotatedAt: null })
      return record.id
    },
    async fail(apiKeyId, failureType = 'timeout') {
      const id: Bytes32 = `0x${(++tasks).toString(16).padStart(64, '0')}`
      await store.tasks.admit({
        policyClient: `0x${'ab'.repeat(20)}`,
        intentHash: id,
        idFor: () => id,
        method: 'createTask',
        apiKeyId,
        request: {},
        deadline: new Date(0),
      })
      const notification = notificationOf(id, failureType)
      await store.tasks.finish(id, {
        status: 'failed',
        result: { task_id: id, status: 'failed', aggregation_response: null, timestamp: 1 },
        notification,
      })
      webhooks.wake()
      return notification
    },
    async outcome({ task_id, notification_id }) {
      const records = await store.notifications.forTask(task_id)
      return records.find(({ id }) => id === notification_id)?.outcome ?? null
    },
    async restart(other) {
      await webhooks.close()
      webhooks = start(other)
      return webhooks
    },
    async close() {
      await webhooks.close()
      await store.close()
    },
  }
}

const notificationOf = (task_id: Bytes32, failure_type: FailureType): TaskFailureNotification => ({
  notification_id: randomUUID(),
  task_id,
  timestamp: new Date().toISOString(),
  failure_type,
  error_message: 'Task timeout \u0000 é "quoted"',
  context: { signed_stake: '30', required_stake: '67', operator_count: 2 },
  is_recoverable: true,
  retry_after_seconds: 5,
})
