import { Writable } from 'node:stream'
import { pino } from 'pino'
import { defaultBrand } from '../protocol/brand.ts'
import { openStore, type Store } from '../store/openStore.ts'
import { createGateway, defaultLimits, type GatewayDeps } from './gateway.ts'
import { createMetrics } from './metrics.ts'
import type { Caller, TaskPort } from './ports.ts'

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

/** Parameters that each method accepts. */
export const validParams = {
  createTask: { policy_client: owner, intent },
  simulateTask: { intent, policy_task_data: policyTaskData },
  simulatePolicy: { policy_client: owner, policy: 'package policy', intent, policy_data: [] },
  getSecretsPublicKey: {},
  getPrivacyPublicKey: {},
} as const

/** Remembers what came through the door, and answers as it is told. */
export const recordingTasks = () => {
  const calls: { method: keyof TaskPort; params: unknown; caller: Caller }[] = []
  let respond: (params: never) => unknown = () => ({ success: true })
  const port = (method: keyof TaskPort) => async (params: unknown, caller: Caller) => {
    calls.push({ method, params, caller })
    return respond(params as never) as never
  }
  return {
    calls,
    respond(next: (params: never) => unknown) {
      respond = next
    },
    port: {
      createTask: port('createTask'),
      simulateTask: port('simulateTask'),
      simulatePolicy: port('simulatePolicy'),
    } satisfies TaskPort,
  }
}

type Keys = Record<'read' | 'write' | 'rpc' | 'admin' | 'none' | 'expired', string>

export const createKeys = async (store: Store): Promise<Keys> => {
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

/** What the tests look at, whatever the answer is. */
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

/** A gateway on a store in memory, and the means to call it without a socket. */
export const openTestGateway = async (overrides: Partial<GatewayDeps> = {}) => {
  const store = await openStore()
  const keys = await createKeys(store)
  const tasks = recordingTasks()
  const log: string[] = []
  const sink = new Writable({
    write(chunk, _, done) {
      log.push(String(chunk))
      done()
    },
  })
  const metrics = createMetrics()
  const app = createGateway({
    brand: defaultBrand,
    version: '0.1.0',
    apiKeys: store.apiKeys,
    tasks: tasks.port,
    encryptionKeys: { secretsPublicKey: 'aa'.repeat(32), privacyPublicKey: 'bb'.repeat(32) },
    limits: defaultLimits,
    rateLimits: { perKey: { perSecond: 1e9, burst: 1e9 } },
    clock: () => 1_800_000_000_000,
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

  /** One call by its name without the brand's prefix; the answer's status and body. */
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

  return { app, store, keys, tasks, log, metrics, send, call, close: () => store.close() }
}

export type TestGateway = Awaited<ReturnType<typeof openTestGateway>>
