import { randomBytes } from 'node:crypto'
import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { policyFixture } from 'polgate-fixtures/catalogue.ts'
import type { TaskList, TaskListRow } from 'polgate-protocol/control/taskList.ts'
import type { TaskSpan, TaskTraceAnswer } from 'polgate-protocol/control/taskTrace.ts'
import { attribute } from 'polgate-service/telemetry/attributes.ts'
import {
  type CollectedSpan,
  type Collector,
  startCollector,
  treeOf,
} from 'polgate-service/telemetry/testing/collector.ts'
import { type Receiver, startReceiver } from 'polgate-service/webhooks/receiver.fixture.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { LocalStack } from './localStack.ts'
import { plainIntent } from './testing/stackClient.ts'
import { startTestStack } from './testing/startTestStack.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const patience = { timeout: 60_000, interval: 50 }
let collector: Collector
let receiver: Receiver
let stack: LocalStack

beforeAll(async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50')
  collector = await startCollector()
  receiver = await startReceiver()
  stack = await startTestStack({
    telemetry: { endpoint: collector.url },
    ...{ timeTravel: true, taskTraces: true },
  })
})
afterAll(async () => {
  await stack?.close()
  await receiver?.close()
  await collector?.close()
  vi.unstubAllEnvs()
})

let value = 0
/** The values of the secrets that the oracles of a policy are given. */
const secretsOf = (policy: string): readonly string[] =>
  policyFixture(policy).oracles.flatMap(({ secrets = {} }) =>
    Object.values(secrets as Record<string, string>).filter((text) => !text.includes('{')),
  )

/** Calls in a trace of its own. */
async function call(method: string, params: object, sampled = true) {
  const traceId = randomBytes(16).toString('hex')
  const spanId = randomBytes(8).toString('hex')
  const response = await fetch(`${stack.description.gatewayUrl}/rpc`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${stack.description.apiKeys.rpc}`,
      traceparent: `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`,
      tracestate: 'caller=1',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: `svc_${method}`, params }),
  })
  const answer = (await response.json()) as {
    result: Record<string, unknown> & { status: string; task_id: string }
  }
  return { ...answer, traceId, spanId, headers: response.headers }
}

function task(client: string, more: object = {}) {
  value += 1
  return {
    policy_client: stack.description.clients[client]!.policyClient,
    intent: plainIntent(stack.description, value),
    ...more,
  }
}
const eth = { wasm_args: encodeWasmArgs({ symbol: 'ETH' }, {}) }

const inTrace = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId)
const named = (spans: readonly CollectedSpan[], name: string) =>
  spans.filter((span) => span.name === name)

async function traceWith(traceId: string, ...names: string[]): Promise<CollectedSpan[]> {
  const missing = () =>
    names.filter((name) => named(inTrace(traceId), name).length === 0).join(', ')
  await expect.poll(missing, patience).toBe('')
  return inTrace(traceId)
}

describe('a task with four operators', () => {
  it('is one trace below the span of its caller, from the request to the explorer', async () => {
    // Components are compiled and shared reads are cached by the first one.
    await call('createTask', task('priced-transfer', eth), false)
    const { result, traceId, spanId, headers } = await call(
      'createTask',
      task('priced-transfer', eth),
    )
    expect(result.status).toBe('success')
    expect(headers.has('traceparent')).toBe(false)
    const spans = await traceWith(traceId, 'POST /rpc', 'post', 'index')
    const [root] = named(spans, 'POST /rpc')
    expect(root!.parentSpanId).toBe(spanId)
    const core = spans.filter(({ name }) => !/^(node |chain (?!context$))/.test(name))
    const collect = 'operator collect(load oracle run oracle(oracle GET))×4'
    const sign = 'operator sign(evaluate policy fetch content×2)×4'
    expect(treeOf(core, root!)).toBe(
      `POST /rpc(createTask(admission(chain context×2 store admit) task(aggregate chain context collect(${collect}) fetch content index post post together settle sign(${sign}) store finish store settle)))`,
    )
    expect(spans.every(({ isError }) => !isError)).toBe(true)
    // Every span is below the request.
    const ids = new Set(spans.map((span) => span.spanId))
    expect(spans.filter((span) => !ids.has(span.parentSpanId))).toEqual([root])
  })

  it('names the task, its client, its quorum and its decision', async () => {
    const params = task('allow-list')
    const { result, traceId } = await call('createTask', params)
    const spans = await traceWith(traceId, 'POST /rpc', 'post')
    expect(named(spans, 'task')[0]!.attributes).toMatchObject({
      [attribute.taskId]: result.task_id,
      [attribute.policyClient]: params.policy_client.toLowerCase(),
      [attribute.chainId]: stack.description.chain.chainId,
      [attribute.decision]: 'allow',
      [attribute.taskStatus]: 'success',
      [attribute.threshold]: 67,
      [attribute.resumed]: false,
    })
    expect(named(spans, 'POST /rpc')[0]!.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'rpc.method': 'createTask',
      [attribute.keyId]: expect.stringMatching(/^[0-9a-f]{12}$/),
    })
    const addresses = named(spans, 'operator sign').map(
      (span) => span.attributes[attribute.operator],
    )
    expect(addresses.sort()).toEqual(stack.operators.map(({ address }) => address).sort())
  })

  it('records HTTP calls of oracles by method, host and status, and times of runs', async () => {
    const { traceId } = await call('createTask', task('priced-transfer', eth))
    const spans = await traceWith(traceId, 'POST /rpc')
    const [http] = named(spans, 'oracle GET')
    expect(http!.attributes).toEqual({
      'http.request.method': 'GET',
      'server.address': new URL(stack.fixtureHost.url).host,
      'http.response.status_code': 200,
    })
    const [run] = named(spans, 'run oracle')
    expect(run!.attributes[attribute.httpCalls]).toBe(1)
    expect(run!.attributes[attribute.computeMs]).toBeGreaterThan(0)
  })

  it('is not recorded when the caller does not sample, nor is its posting', async () => {
    const { result, traceId } = await call('createTask', task('allow-list'), false)
    expect(result.status).toBe('success')
    const { traceId: later } = await call('createTask', task('allow-list'))
    await traceWith(later, 'post', 'index')
    expect(inTrace(traceId)).toEqual([])
  })

  it('reaches subscribers: each update is a span linked to their handshake', async () => {
    const traceId = randomBytes(16).toString('hex')
    const socket = new WebSocket(`${stack.description.gatewayUrl.replace('http', 'ws')}/ws`, {
      headers: {
        authorization: `Bearer ${stack.description.apiKeys.rpc}`,
        traceparent: `00-${traceId}-${'1'.repeat(16)}-01`,
      },
    })
    await new Promise((resolve) => socket.once('open', resolve))
    const sent = await call('sendTask', task('priced-transfer', eth))
    const { subscription_topic: topic } = sent.result
    socket.send(JSON.stringify({ type: 'subscribe', id: 1, method: topic }))
    const spans = await traceWith(sent.traceId, 'send update', 'post', 'POST /rpc')
    const [handshake] = named(await traceWith(traceId, 'GET /ws'), 'GET /ws')
    const updates = named(spans, 'send update')
    expect(updates.every(({ links }) => links[0] === handshake!.spanId)).toBe(true)
    expect(updates.map(({ attributes }) => attributes[attribute.update])).toContain('success')
    expect(named(spans, 'task')[0]!.attributes['rpc.method']).toBe('sendTask')
    socket.close()
  })
})

it('counts spans in the metrics', async () => {
  const { adminUrl } = stack.service
  const count = async (outcome: string) => {
    const text = await (await fetch(`${adminUrl}/metrics`)).text()
    return Number(
      new RegExp(`^telemetry_spans\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1],
    )
  }
  await expect.poll(() => count('exported'), patience).toBeGreaterThan(50)
  expect(await count('lost')).toBe(0)
})

describe('a task that fails', () => {
  it('shows the trap of an oracle at each operator', async () => {
    const { result, traceId } = await call('createTask', task('trapping-oracle'))
    expect(result.status).toBe('failed')
    const spans = await traceWith(traceId, 'POST /rpc')
    const runs = named(spans, 'run oracle')
    expect(runs).toHaveLength(4)
    for (const run of runs) {
      expect(run).toMatchObject({ isError: true, attributes: { 'error.type': 'trap' } })
      expect(run.message).toMatch(/^WASM execution failed: trap/)
    }
    expect(named(spans, 'operator collect').every(({ isError }) => isError)).toBe(true)
    expect(named(spans, 'task')[0]).toMatchObject({ isError: true, message: result.error })
  })

  it('shows operators that are down, and a quorum that is not reached, with its webhook retries', async () => {
    await call('registerWebhook', { url: `${receiver.url}/hook?key=hush`, max_retries: 2 })
    receiver.reply(503, 200)
    const down = stack.service.operators.slice(0, 3)
    for (const operator of down) operator.stop()
    const { result, traceId } = await call('createTask', task('allow-list')).finally(() => {
      for (const operator of down) operator.start()
    })
    expect(result.status).toBe('failed')
    await expect.poll(() => named(inTrace(traceId), 'deliver webhook').length, patience).toBe(2)
    const spans = await traceWith(traceId, 'POST /rpc')
    const failed = named(spans, 'operator sign').filter(({ isError }) => isError)
    expect(failed.map(({ attributes }) => attributes[attribute.operator]).sort()).toEqual(
      down.map(({ address }) => address).sort(),
    )
    expect(failed[0]!.message).toContain('operator unreachable')
    expect(named(spans, 'task')[0]).toMatchObject({ isError: true, message: result.error })

    const [first, second] = named(spans, 'deliver webhook')
    expect(first).toMatchObject({ isError: true, links: [] })
    expect(second).toMatchObject({ isError: false, links: [first!.spanId] })
    expect(first!.attributes).toMatchObject({
      'http.response.status_code': 503,
      'server.address': new URL(receiver.url).host,
      [attribute.attempt]: 1,
    })
    // Both deliveries continue the trace at the receiver.
    expect(receiver.received.map(({ headers }) => headers.traceparent)).toEqual([
      `00-${traceId}-${first!.spanId}-01`,
      `00-${traceId}-${second!.spanId}-01`,
    ])
    expect(receiver.received[0]!.headers.tracestate).toBe('caller=1')
    await call('unregisterWebhook', {})
  })
})

describe('the control listener', () => {
  const control = (path: string, init: RequestInit = {}) =>
    fetch(`${stack.description.controlUrl}${path}`, {
      ...init,
      headers: { 'content-type': 'application/json' },
    })
  const traceOf = async (id: string) =>
    (await (await control(`/tasks/${id}/trace`)).json()) as TaskTraceAnswer
  const of = ({ spans }: TaskTraceAnswer, name: string) =>
    spans.filter((span) => span.name === name)
  const parentOf = ({ spans }: TaskTraceAnswer, { parent }: TaskSpan) =>
    spans.find(({ id }) => id === parent)?.name

  it('has the path of a task, with the requests of its oracles and without its secrets', async () => {
    const { result } = await call('createTask', task('priced-transfer', eth))
    await expect
      .poll(async () => (await traceOf(result.task_id)).chain.map(({ kind }) => kind), patience)
      .toEqual(['created', 'responded'])
    const trace = await traceOf(result.task_id)
    expect(trace).toMatchObject({ method: 'createTask', ended: true, notes: [] })
    expect(trace.request).toMatchObject(eth)
    expect(trace.state).toMatchObject({ status: 'success', result: { task_id: result.task_id } })
    expect(trace.state!.operator_responses.length).toBeGreaterThan(0)
    const addresses = stack.operators.map(({ address }) => address).sort()
    expect(trace.stakes!.map(({ address }) => address).sort()).toEqual(addresses)
    expect(trace.stakes!.every(({ stakes }) => Number(stakes[0]) > 0)).toBe(true)
    for (const [name, parent] of [
      ['run oracle', 'collect data'],
      ['evaluate policy', 'evaluate and sign'],
    ] as const) {
      const spans = of(trace, name)
      expect(spans.map(({ operator }) => operator).sort()).toEqual(addresses)
      for (const span of spans) expect(parentOf(trace, span)).toBe(parent)
    }
    for (const name of [
      'admission',
      'settle data',
      'aggregate signatures',
      'post on chain',
      'task',
    ])
      expect(of(trace, name)).toHaveLength(1)
    expect(trace.spans.every(({ duration }) => duration !== null)).toBe(true)
    const http = trace.spans.filter(({ kind }) => kind === 'http')
    expect(http).toHaveLength(4)
    for (const { exchange, ...span } of http) {
      expect(parentOf(trace, { ...span })).toBe('run oracle')
      // Where the feed is, is a secret, too.
      expect(exchange!.url).toBe('$'.concat('{secret:PRICE_FEED_URL}/price/ETH'))
      expect(exchange!.response).toMatchObject({ status: 200 })
      expect(JSON.parse(exchange!.response!.body.text!)).toHaveProperty('price')
    }
    const [evaluation, ...others] = trace.evaluations
    expect(others).toEqual([])
    expect([...evaluation!.operators].sort()).toEqual(addresses)
    expect(evaluation).toMatchObject({ result: 'true', reasons: [], error: null })
    const rows = evaluation!.source.split('\n')
    const deciding = evaluation!.explanation!.deciding.map((row) => rows[row - 1])
    expect(deciding.join('\n')).toContain('allow')
    const text = JSON.stringify(trace)
    for (const secret of secretsOf('priced-transfer')) expect(text).not.toContain(secret)
    expect(text).toContain('{secret:')
  })

  it('shows operators and oracles that fail, and makes a case of a task', async () => {
    const { result } = await call('createTask', task('trapping-oracle'))
    const trace = await traceOf(result.task_id)
    expect(of(trace, 'run oracle').map(({ error }) => error)).toEqual(
      Array(4).fill(expect.stringMatching(/^WASM execution failed: trap/)),
    )
    expect(of(trace, 'task')[0]!.error).toBeTruthy()
    const made = await control(`/tasks/${result.task_id}/case`, { method: 'POST', body: '{}' })
    expect(await made.json()).toMatchObject({ yaml: expect.stringContaining('fails:') })
    const bad = await control(`/tasks/${result.task_id}/case`, { method: 'POST', body: '[]' })
    expect(bad.status).toBe(422)
    expect((await control(`/tasks/0x12/trace`)).status).toBe(404)
  })

  it('lists the tasks of the gateway, by status, method, client, decision and text', async () => {
    const { result } = await call('createTask', task('allow-list'))
    const { clients } = stack.description
    const listed = async (query: Readonly<Record<string, string>>) =>
      (await (await control(`/tasks?${new URLSearchParams(query)}`)).json()) as TaskList
    await expect
      .poll(async () => (await listed({ decision: 'allow', size: '1' })).rows[0]?.id, patience)
      .toBe(result.task_id)
    const all = await listed({ size: '100' })
    expect(all).toMatchObject({ more: false, total: all.rows.length })
    expect(all.rows[0]).toMatchObject({
      ...{ id: result.task_id, status: 'success', method: 'createTask', decision: 'allow' },
      ...{ client: clients['allow-list']!.policyClient.toLowerCase(), error: null },
    })
    const { rows } = all
    for (const [query, matches] of [
      [{ status: 'failed' }, ({ status }) => status === 'failed'],
      [{ method: 'sendTask' }, ({ method }) => method === 'sendTask'],
      [{ client: rows[0]!.client }, ({ client }) => client === rows[0]!.client],
      [{ decision: 'deny' }, ({ decision }) => decision === 'deny'],
      [{ text: result.task_id.slice(10, 30).toUpperCase() }, ({ id }) => id === result.task_id],
      [{ text: 'WASM execution' }, ({ error }) => error?.includes('WASM execution') === true],
      [{ text: '%' }, () => false],
    ] as readonly [Record<string, string>, (row: TaskListRow) => boolean][])
      expect((await listed(query)).rows.map(({ id }) => id)).toEqual(
        rows.filter(matches).map(({ id }) => id),
      )
    const tooMuch = {
      ...plainIntent(stack.description, 1),
      value: `0x${(10n ** 20n).toString(16)}`,
    }
    const denied = await call('createTask', task('priced-transfer', { ...eth, intent: tooMuch }))
    await expect
      .poll(async () => (await listed({ decision: 'deny', size: '1' })).rows[0], patience)
      .toMatchObject({
        ...{ id: denied.result.task_id, reasons: ['value exceeds the maximum in dollars'] },
      })
    expect(rows[0]!.reasons).toEqual([])
    const second = await listed({ page: '2', size: '2' })
    expect(second.rows).toEqual(rows.slice(1, 3))
    for (const query of ['page=0', 'status=lost', 'client=0x12', 'size=101', 'other=1'])
      expect((await control(`/tasks?${query}`)).status).toBe(422)
  })
})
