import { Writable } from 'node:stream'
import { pino } from 'pino'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import type { MethodName } from 'polgate-protocol/methods.ts'
import { Registry } from 'prom-client'
import type { Store } from '../store/openStore.ts'
import { openTestStore } from '../store/testing/openTestStore.ts'
import { createGateway, defaultLimits, type GatewayDeps } from './gateway.ts'
import type { MethodPorts } from './methods.ts'
import { createMetrics } from './metrics.ts'
import type { Caller } from './ports.ts'
import { createRateLimiter } from './rateLimit.ts'

export const owner = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

export const intent = {
  from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  value: '0xde0b6b3a7640000',
  data: '0x',
  chain_id: '0x7a69',
  function_signature: '0x',
}

export const policyTaskData = {
  policyId: `0x${'11'.repeat(32)}`,
  policyAddress: owner,
  policy: '0x',
  policyData: [],
}

/** Valid parameters for each method. */
export const validParams = {
  createTask: { policy_client: owner, intent },
  simulateTask: { intent, policy_task_data: policyTaskData },
  simulatePolicy: { policy_client: owner, policy: 'package policy', intent, policy_data: [] },
  sendTask: { policy_client: owner, intent },
  simulatePolicyData: { policy_data_address: owner, chain_id: 31337 },
  simulatePolicyDataWithClient: { policy_data_address: owner, policy_client: owner },
  storeEncryptedSecrets: { policy_client: owner, policy_data_address: owner, envelope: '{}' },
  registerWebhook: { url: 'https://example.com/hook' },
  unregisterWebhook: {},
  getSecretsPublicKey: {},
  getPrivacyPublicKey: {},
  uploadIdentityEncrypted: {
    identity_owner: owner,
    identity_owner_sig: `0x${'11'.repeat(65)}`,
    envelope: '{}',
    identity_domain: `0x${'22'.repeat(32)}`,
    chain_id: 31337,
  },
  getIdentityEncrypted: { data_ref_id: `0x${'33'.repeat(32)}` },
  uploadConfidentialData: {
    provider: owner,
    domain: `0x${'22'.repeat(32)}`,
    envelope: '{}',
    chain_id: 31337,
  },
  getConfidentialData: { data_ref_id: `0x${'33'.repeat(32)}` },
} as const satisfies { [M in MethodName]: object }

type Recorded = { method: string; params: unknown; caller: Caller }

/** Ports that record their calls, with configurable responses. */
export function recordingPorts() {
  const calls: Recorded[] = []
  let respond: (params: never) => unknown = () => ({ success: true })
  const port = (method: string) => async (params: unknown, caller: Caller) => {
    calls.push({ method, params, caller })
    return respond(params as never) as never
  }
  const withoutCaller = (method: string) => async (params: unknown) => {
    calls.push({ method, params, caller: nobody })
    return respond(params as never) as never
  }
  return {
    calls,
    respond(next: (params: never) => unknown) {
      respond = next
    },
    ports: {
      tasks: {
        createTask: port('createTask'),
        sendTask: port('sendTask'),
        simulateTask: port('simulateTask'),
        simulatePolicy: port('simulatePolicy'),
        simulatePolicyData: port('simulatePolicyData'),
        simulatePolicyDataWithClient: port('simulatePolicyDataWithClient'),
        storeEncryptedSecrets: port('storeEncryptedSecrets'),
      },
      webhooks: {
        register: port('registerWebhook'),
        unregister: (caller: Caller) => port('unregisterWebhook')({}, caller),
      },
      sealedData: {
        uploadIdentity: port('uploadIdentityEncrypted'),
        getIdentity: withoutCaller('getIdentityEncrypted'),
        uploadConfidential: port('uploadConfidentialData'),
        getConfidential: withoutCaller('getConfidentialData'),
      },
    } satisfies Omit<MethodPorts, 'encryptionKeys'>,
  }
}

const nobody: Caller = { keyId: '', rotatedAt: null, permissions: [], owners: [] }

type Keys = Record<'read' | 'write' | 'rpc' | 'admin' | 'none' | 'expired', string>

export async function createKeys(store: Store): Promise<Keys> {
  const make = async (
    permissions: ('rpc_read' | 'rpc_write' | 'rpc' | 'admin')[],
    expiresAt?: Date,
  ) => (await store.apiKeys.create({ name: 'test', permissions, owners: [owner], expiresAt })).key
  return {
    read: await make(['rpc_read']),
    write: await make(['rpc_write']),
    rpc: await make(['rpc']),
    admin: await make(['admin']),
    none: await make([]),
    expired: await make(['rpc'], new Date(0)),
  }
}

export type Body = string | Uint8Array<ArrayBuffer>

/** The members that tests access, for any response. */
export type AnswerBody = {
  readonly result: Record<string, unknown>
  readonly error: { readonly code: number; readonly message: string }
  readonly id: unknown
}

export type SendOptions = {
  readonly key?: string | undefined
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
}

/** A gateway on an in-memory store, callable without a socket. */
export async function openTestGateway(overrides: Partial<GatewayDeps> = {}) {
  const store = await openTestStore()
  const keys = await createKeys(store)
  const recorded = recordingPorts()
  const log: string[] = []
  const sink = new Writable({
    write(chunk, _, done) {
      log.push(String(chunk))
      done()
    },
  })
  const registry = new Registry()
  const metrics = createMetrics(registry)
  const app = createGateway({
    brand: defaultBrand,
    version: '0.1.0',
    apiKeys: store.apiKeys,
    ...recorded.ports,
    encryptionKeys: { secretsPublicKey: 'aa'.repeat(32), privacyPublicKey: 'bb'.repeat(32) },
    limits: defaultLimits,
    limiter: createRateLimiter(),
    rateLimits: { perKey: { perSecond: 1e9, burst: 1e9 } },
    logger: pino({}, sink),
    metrics,
    corsOrigins: [],
    ...overrides,
  })

  const send = (body: Body | null, options: SendOptions = {}) => {
    const key = 'key' in options ? options.key : keys.rpc
    return app.request(options.path ?? '/rpc', {
      method: options.method ?? 'POST',
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        'content-type': 'application/json',
        ...options.headers,
      },
      ...(body === null ? {} : { body }),
    })
  }

  /** One call by method name without the brand's prefix; returns status and body. */
  const call = async (method: string, params?: unknown, options: SendOptions = {}) => {
    const response = await send(
      JSON.stringify({ jsonrpc: '2.0', method: `svc_${method}`, params, id: 'call-1' }),
      options,
    )
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as AnswerBody,
    }
  }

  return { app, store, keys, recorded, log, registry, send, call, close: () => store.close() }
}

export type TestGateway = Awaited<ReturnType<typeof openTestGateway>>
