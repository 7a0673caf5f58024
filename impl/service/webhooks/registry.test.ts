import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from '../store/openStore.ts'
import { openTestStore } from '../store/testing/openTestStore.ts'
import { createRegistry, type WebhookRegistry } from './registry.ts'
import { secretSealer } from './sealedSecret.ts'

let store: Store
let registry: WebhookRegistry
let keyId: string

beforeAll(async () => {
  store = await openTestStore()
  keyId = (await store.apiKeys.create({ name: 'test', permissions: ['rpc'] })).record.id
  const sealer = secretSealer('11'.repeat(32))
  registry = createRegistry({ webhooks: store.webhooks, sealer, allowLoopback: false })
})
afterAll(() => store?.close())

const register = (params: object) =>
  registry.register({ url: 'https://hooks.example/', ...params }, { keyId, rotatedAt: null })

it('applies the defaults of section 4.9', async () => {
  await register({})
  expect(await store.webhooks.get(keyId)).toMatchObject({
    sealedSecret: null,
    timeoutSeconds: 10,
    maxRetries: 3,
    failureTypes: null,
  })
})

it('stores the given values, including zero retries, each type once, and the secret encrypted', async () => {
  await register({
    secret: 'a-secret-of-a-webhook',
    timeout_seconds: 0.5,
    max_retries: 0,
    failure_types: ['timeout', 'timeout'],
  })
  const stored = await store.webhooks.get(keyId)
  expect(stored).toMatchObject({ timeoutSeconds: 0.5, maxRetries: 0, failureTypes: ['timeout'] })
  expect(Buffer.from(stored!.sealedSecret!).includes('a-secret-of-a-webhook')).toBe(false)
})

it.each(['http://hooks.example/', 'https://hooks.example/\u0000', 'https://hooks.example/\ud800'])(
  'rejects %j as malformed, and keeps the previous webhook',
  async (url) => {
    await register({ url: 'https://hooks.example/kept' })
    await expect(register({ url })).rejects.toMatchObject({
      code: -32602,
      message: 'Invalid request format: url must be an HTTPS URL',
    })
    expect((await store.webhooks.get(keyId))?.url).toBe('https://hooks.example/kept')
  },
)
