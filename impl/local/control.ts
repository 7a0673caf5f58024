import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { FixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import { serve } from 'polgate-service/gateway/serve.ts'
import type { ApiKeyQueries } from 'polgate-service/store/apiKeys.ts'
import type { NotificationQueries } from 'polgate-service/store/notifications.ts'
import { StoreError } from 'polgate-service/store/storeError.ts'
import type { WebhookQueries } from 'polgate-service/store/webhooks.ts'
import { addAccountRoutes } from './accountRoutes.ts'
import type { AdjustableLimits } from './adjustableLimits.ts'
import { addBackupRoutes, type Backup } from './backupRoutes.ts'
import { addChainRoutes, type ChainRouteParts } from './chainRoutes.ts'
import { addConformanceRoutes, type ConformanceControl } from './conformanceRoutes.ts'
import { addKeyRoutes, type KeyRouteParts } from './keyRoutes.ts'
import type { LatestTasks } from './latestTasks.ts'
import { addMockRoutes, type MockControl } from './mockRoutes.ts'
import { addOperatorRoutes, type OperatorRouteParts } from './operatorRoutes.ts'
import type { LocalPolicies } from './policies/localPolicies.ts'
import { addPolicyRoutes } from './policies/policyRoutes.ts'
import { addRedecideRoutes } from './policies/redecideRoutes.ts'
import { addTaskListRoutes } from './taskListRoutes.ts'
import type { TaskRecords } from './taskRecords.ts'
import type { TraceSources } from './taskTrace/traceAnswer.ts'
import { addTaskTraceRoutes } from './taskTraceRoutes.ts'
import type { TimeTravel } from './timeTravel/timeTravel.ts'
import { addTravelRoutes } from './travelRoutes.ts'
import { addWebhookRoutes, type WebhookTools } from './webhookRoutes.ts'

export type Control = {
  readonly url: string
  mine(blocks: number): Promise<void>
  close(): Promise<void>
}

export type ControlOptions = OperatorRouteParts &
  ChainRouteParts & {
    readonly port: number
    readonly apiKeys: ApiKeyQueries
    readonly rpcUrl: string
    /** Absent if another process owns the fixture host. */
    readonly fixtureHost?: FixtureHost | undefined
    readonly limits?: Pick<AdjustableLimits, 'current' | 'set'> | undefined
    /** Moves the stack in time, where that is possible. */
    readonly travel?: TimeTravel | undefined
    /** What operators did for the latest tasks. */
    readonly records?: Pick<TaskRecords, 'of'> | undefined
    /** The paths of the latest tasks, where they are recorded. */
    readonly traces?: TraceSources | undefined
    /** What hosts answer to oracles, where that can be replaced: files like `mocks.yaml`. */
    readonly mocks?: MockControl | undefined
    /** Runs the suite against the stack. */
    readonly conformance?: ConformanceControl | undefined
    /** The latest task of each client. */
    readonly latest?: Pick<LatestTasks, 'of'> | undefined
    /** Where the failures of a task and their deliveries are read. */
    readonly notifications?: Pick<NotificationQueries, 'forTask'> | undefined
    /** Tells whether a key has a webhook, which the gateway does not. */
    readonly webhooks?: Pick<WebhookQueries, 'get'> | undefined
    /** Deployed policies, their clients, and past decisions. */
    readonly policies?: LocalPolicies | undefined
    /** Inbox of webhooks, failures on request, and messages about tasks. */
    readonly webhookTools?: WebhookTools | undefined
    /** The key that the operators share. */
    readonly key?: KeyRouteParts | undefined
    /** What `polgate snapshot save` saves of the stack. */
    readonly backup?: Backup | undefined
  }

const maxBody = 1024 * 1024

const Limit = Type.Object({
  perSecond: Type.Number({ exclusiveMinimum: 0 }),
  burst: Type.Integer({ minimum: 1 }),
})
/** Body of a change of limits; `{}` restores the initial ones. */
const LimitsChange = Type.Object({
  perKey: Type.Optional(Limit),
  perMethod: Type.Optional(Type.Record(Type.String(), Limit)),
  explorer: Type.Optional(Limit),
})

/**
 * Control API of a local stack for developers, tests and the suite. Listens on loopback only and
 * exists in no other deployment: it grants full control.
 */
export async function serveControl(options: ControlOptions): Promise<Control> {
  const { apiKeys, fixtureHost, limits } = options
  const mine = (blocks: number) => mineBlocks(options.rpcUrl, blocks)
  const app = new Hono()

  app.use(
    bodyLimit({
      maxSize: maxBody,
      onError: (c) => c.json({ error: `the body is larger than ${maxBody} bytes` }, 413),
    }),
  )

  addOperatorRoutes(app, options)
  addChainRoutes(app, options)

  app.post('/chain/mine', async (c) => {
    const body = (await c.req.json().catch(() => ({}))) as { blocks?: unknown }
    const blocks = body.blocks ?? 1
    if (!Number.isInteger(blocks) || (blocks as number) < 1 || (blocks as number) > 100_000) {
      return c.json({ error: 'blocks must be a number from 1 to 100000' }, 422)
    }
    await mine(blocks as number)
    return c.json({ mined: blocks })
  })

  app.get('/world', (c) => (fixtureHost === undefined ? c.notFound() : c.json({ ok: true })))
  app.post('/world', async (c) => {
    if (fixtureHost === undefined) return c.notFound()
    const world = (await c.req.json().catch(() => ({}))) as World
    applyOracleData(fixtureHost, world)
    return c.json({ ok: true })
  })

  app.get('/limits', (c) => (limits === undefined ? c.notFound() : c.json(limits.current())))
  app.post('/limits', async (c) => {
    if (limits === undefined) return c.notFound()
    const change: unknown = await c.req.json().catch(() => undefined)
    if (!Value.Check(LimitsChange, change))
      return c.json(
        { error: 'limits must be {perKey?, perMethod?, explorer?}, each {perSecond, burst}' },
        422,
      )
    limits.set(change)
    return c.json(limits.current())
  })

  addAccountRoutes(app)
  if (options.key !== undefined) addKeyRoutes(app, options.key)
  if (options.conformance !== undefined) addConformanceRoutes(app, options.conformance)
  if (options.mocks !== undefined) addMockRoutes(app, options.mocks)
  if (options.backup !== undefined) addTaskListRoutes(app, options.backup.database, options.records)
  if (options.traces !== undefined) addTaskTraceRoutes(app, options.traces)
  if (options.backup !== undefined) addBackupRoutes(app, options.backup)
  if (options.travel !== undefined) addTravelRoutes(app, options.travel)
  if (options.policies !== undefined) addPolicyRoutes(app, options.policies)
  if (options.policies !== undefined) addRedecideRoutes(app, options.policies)
  if (options.webhookTools !== undefined) addWebhookRoutes(app, options.webhookTools)
  app.get('/clients/:address/latest-task', (c) => {
    const task = options.latest?.of(c.req.param('address'))
    return task === undefined ? c.json({ error: 'no task of this client' }, 404) : c.json(task)
  })
  app.get('/tasks/:id', (c) => {
    const record = options.records?.of(c.req.param('id'))
    return record === undefined ? c.json({ error: 'unknown task' }, 404) : c.json(record)
  })

  app.get('/tasks/:id/notifications', async (c) => {
    const found = (await options.notifications?.forTask(c.req.param('id'))) ?? []
    return c.json(
      found.map(({ id, payload, attempts, outcome, lastError }) => {
        const { failure_type: type, error_message: message } = payload
        return { id, type, message, attempts, outcome, lastError }
      }),
    )
  })

  app.post('/keys/webhook', async (c) => {
    const { key } = (await c.req.json().catch(() => ({}))) as { key?: unknown }
    const found = typeof key === 'string' ? await apiKeys.lookup(key.slice(0, 256)) : undefined
    if (found === undefined) return c.json({ error: 'unknown key' }, 404)
    return c.json({ url: (await options.webhooks?.get(found.id))?.url ?? null })
  })

  app.get('/keys', async (c) => c.json(await apiKeys.list()))
  app.post('/keys', async (c) => c.json(await apiKeys.create(await newKey(c.req.raw))))
  app.post('/keys/:id/rotate', async (c) => c.json(await apiKeys.rotate(c.req.param('id'))))
  app.delete('/keys/:id', async (c) => {
    await apiKeys.delete(c.req.param('id'))
    return c.json({})
  })

  app.onError((error, c) =>
    error instanceof StoreError
      ? c.json({ error: error.message, hint: error.hint }, 422)
      : c.json({ error: 'control failed' }, 500),
  )
  const listener = await serve({
    fetch: app.fetch,
    port: options.port,
    hostname: '127.0.0.1',
    localOnly: true,
  })
  return { url: listener.url, mine, close: () => listener.close() }
}

export type World = {
  readonly mode?: 'ok' | 'error' | 'slow' | 'huge' | 'redirect' | 'garbage'
  readonly prices?: Readonly<Record<string, number>>
  readonly listed?: readonly string[]
  readonly spread?: number
  /** Age of a price in seconds at the time of the request. */
  readonly feedAge?: number
}

/** Sets the data of the fixture host; members that are not given return to their initial values. */
export function applyOracleData(host: FixtureHost, world: World): void {
  const { mode, prices, listed, spread, feedAge } = world
  host.reset()
  if (mode !== undefined) host.setMode(mode)
  if (spread !== undefined) host.setSpread(spread)
  if (feedAge !== undefined) host.setFeedAge(feedAge)
  for (const [symbol, price] of Object.entries(prices ?? {})) host.setPrice(symbol, price)
  for (const address of listed ?? []) host.setListed(address, true)
}

async function newKey(request: Request): Promise<Parameters<ApiKeyQueries['create']>[0]> {
  const body = (await request.json()) as Parameters<ApiKeyQueries['create']>[0]
  const expiresAt = body.expiresAt === undefined ? undefined : new Date(body.expiresAt)
  return { ...body, expiresAt }
}

/** Mining many blocks takes time; a hanging Anvil never responds. */
const mineMs = 120_000

export async function mineBlocks(rpcUrl: string, blocks: number): Promise<void> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'anvil_mine',
      params: [`0x${blocks.toString(16)}`],
    }),
    signal: AbortSignal.timeout(mineMs),
  })
  const { error } = (await response.json()) as { error?: { message: string } }
  if (error !== undefined) throw new Error(error.message)
}
