import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRateLimiter } from '../../gateway/rateLimit.ts'
import { openTestExplorer, rowsInMemory, type TestExplorer } from './explorer.fixture.ts'

let explorer: TestExplorer
beforeAll(async () => {
  explorer = await openTestExplorer()
})
afterAll(() => explorer?.close())

const integer = 'Input should be a valid integer, unable to parse string as an integer'
const issue = (type: string, name: string, msg: string, input: string | null) => ({
  type,
  loc: ['query', name],
  msg,
  input,
})

describe('query', () => {
  const least = (n: number) => `Input should be greater than or equal to ${n}`
  const most = (n: number) => `Input should be less than or equal to ${n}`
  it.each([
    ['page=0', [issue('greater_than_equal', 'page', least(1), '0')]],
    ['page=-1', [issue('greater_than_equal', 'page', least(1), '-1')]],
    ['page=', [issue('int_parsing', 'page', integer, '')]],
    ['page=1.5', [issue('int_parsing', 'page', integer, '1.5')]],
    ['page=1e1', [issue('int_parsing', 'page', integer, '1e1')]],
    ['page=0x1', [issue('int_parsing', 'page', integer, '0x1')]],
    ['page=NaN', [issue('int_parsing', 'page', integer, 'NaN')]],
    ['page=%D9%A1', [issue('int_parsing', 'page', integer, '\u0661')]],
    ['page=1%00', [issue('int_parsing', 'page', integer, '1\u0000')]],
    ['page=1000000000001', [issue('less_than_equal', 'page', most(1e12), '1000000000001')]],
    ['size=0', [issue('greater_than_equal', 'size', least(1), '0')]],
    ['size=101', [issue('less_than_equal', 'size', most(100), '101')]],
    ['as_of=-1', [issue('greater_than_equal', 'as_of', least(0), '-1')]],
    ['page=1&page=x', [issue('int_parsing', 'page', integer, 'x')]],
    [
      'page=a&size=200',
      [
        issue('int_parsing', 'page', integer, 'a'),
        issue('less_than_equal', 'size', most(100), '200'),
      ],
    ],
  ])('%s is 422 on every list', async (query, detail) => {
    for (const path of ['/v1/task', '/v1/policy', '/v1/policy/id/x/task'])
      expect(await explorer.get(`${path}?${query}`)).toMatchObject({
        status: 422,
        body: { detail },
      })
  })

  it('truncates long inputs, and accepts numbers of any length', async () => {
    const { status, body } = await explorer.get(`/v1/task?page=${'9'.repeat(5_000)}`)
    expect(status).toBe(422)
    expect(body.detail).toEqual([issue('less_than_equal', 'page', most(1e12), '9'.repeat(1_024))])
  })

  it.each(['page=x&page=2&size=2', 'page=02&size=2', 'page=2&size=2&unknown=x', 'page=2&size=2&'])(
    '%s is the second page of two',
    async (query) => {
      const { status, body } = await explorer.get(`/v1/task?${query}`)
      expect([status, body.page, body.size]).toEqual([200, 2, 2])
    },
  )

  it('is ignored on paths without parameters', async () => {
    const path = `/v1/task/0x${'0'.repeat(63)}1?page=x&size=0`
    expect((await explorer.get(path)).status).toBe(200)
  })
})

describe('statistics', () => {
  const stats = (query: string) => explorer.get(`/v1/stats?${query}`)
  const totals = async (query: string) => {
    const { status, body } = await stats(query)
    expect(status).toBe(200)
    return [body.total_tasks, body.total_policies]
  }

  it('require a start time', async () => {
    const missing = issue('missing', 'task_window_start', 'Field required', null)
    expect(await stats('')).toMatchObject({ status: 422, body: { detail: [missing] } })
    const { body } = await stats('task_window_start=&policy_window_end=yesterday')
    expect(
      body.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, loc]),
    ).toEqual([
      ['datetime_parsing', ['query', 'task_window_start']],
      ['datetime_parsing', ['query', 'policy_window_end']],
    ])
  })

  it('count the rows of each window, both ends included', async () => {
    const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`
    expect(await totals('task_window_start=2026-01-01')).toEqual([25, 12])
    expect(await totals(`task_window_start=${at(25)}`)).toEqual([1, 12])
    expect(await totals(`task_window_start=${at(26)}`)).toEqual([0, 12])
    expect(await totals(`task_window_start=${at(3)}&task_window_end=${at(5)}`)).toEqual([3, 12])
    expect(await totals(`task_window_start=${at(5)}&task_window_end=${at(3)}`)).toEqual([0, 12])
    const all = 'task_window_start=1970-01-01'
    expect(await totals(`${all}&policy_window_start=${at(11)}`)).toEqual([25, 2])
    expect(await totals(`${all}&policy_window_end=${at(2)}`)).toEqual([25, 2])
    expect(await totals(`${all}&policy_window_start=${at(4)}&policy_window_end=${at(4)}`)).toEqual([
      25, 1,
    ])
  })

  it('support offsets and sub-millisecond fractions', async () => {
    expect(await totals('task_window_start=2026-01-01T02:00:25%2B02:00')).toEqual([1, 12])
    expect(await totals('task_window_start=2026-01-01T00:00:25.000000001Z')).toEqual([0, 12])
    const end = 'task_window_start=2026-01-01&task_window_end=2026-01-01T00:00:02.000999Z'
    expect(await totals(end)).toEqual([2, 12])
  })
})

describe('unavailable dependencies', () => {
  const unavailable = { detail: 'API key validation unavailable' }
  it('keys that cannot be checked cause 503 with Retry-After', async () => {
    const refused = explorer.but({
      apiKeys: { lookup: () => Promise.reject(new Error('INSIDE')) },
    })
    for (const path of ['/v1/task', '/v1/task?page=0', '/v1/stats']) {
      const { status, body, headers } = await refused.get(path)
      expect([status, body, headers.get('retry-after')]).toEqual([503, unavailable, '1'])
    }
    expect((await refused.get('/v1/task', {})).status).toBe(401)
    expect(refused.log.join('')).toContain('INSIDE')
  })

  it('so do key look-ups that time out, and a store that fails later', async () => {
    const silent = explorer.but({
      apiKeys: { lookup: () => new Promise(() => {}) },
      patienceMs: 1,
    })
    expect(await silent.get('/v1/task')).toMatchObject({ status: 503, body: unavailable })
    for (const tasks of [
      () => Promise.reject(new Error('INSIDE')),
      () => {
        throw new Error('INSIDE')
      },
    ]) {
      const failing = explorer.but({ queries: { ...rowsInMemory([], []), tasks } })
      const { status, body, headers } = await failing.get('/v1/task')
      expect(status).toBe(503)
      expect(body).toEqual({ detail: 'Explorer data unavailable' })
      expect(headers.get('retry-after')).toBe('1')
    }
  })

  it('so does a closed store', async () => {
    const closed = await openTestExplorer()
    await closed.store.close()
    expect(await closed.get('/v1/task')).toMatchObject({ status: 503, body: unavailable })
  })
})

it('answers an internal error without details', async () => {
  const broken = explorer.but({
    limiter: { take: () => Promise.reject(new Error('INSIDE')) },
  })
  expect(await broken.get('/v1/task')).toMatchObject({
    status: 500,
    body: { detail: 'Internal error' },
  })
})

it('limits the rate of a key, before the rest of the request is checked', async () => {
  const limiter = createRateLimiter()
  const limited = explorer.but({ limiter, rateLimit: { perSecond: 0.1, burst: 2 } })
  const other = { 'x-api-key': explorer.keys.rpc }
  const wrong = { 'x-api-key': explorer.keys.read, 'x-protocol-network': 'none' }
  expect((await limited.get('/v1/task')).status).toBe(200)
  expect((await limited.get('/v1/task/unknown')).status).toBe(404)
  const { status, body, headers } = await limited.get('/v1/task', wrong)
  expect([status, body]).toEqual([429, { detail: 'Rate limit exceeded' }])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await limited.get('/v1/task', other)).status).toBe(200)
  expect((await limited.get('/v1/task', { 'x-api-key': explorer.keys.write })).status).toBe(403)
  expect((await limited.get('/v1/nothing')).status).toBe(404)
  limiter.close()
})

describe('browsers of other origins', () => {
  it('are rejected by default', async () => {
    const response = await explorer.app.request('/v1/task', {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
    })
    expect(response.status).toBe(405)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('are allowed by configuration', async () => {
    const open = explorer.but({ corsOrigins: ['https://a.example'] })
    const preflight = await open.app.request('/v1/task', {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toBe(
      'authorization,x-api-key,X-Protocol-Network',
    )
    const from = async (origin: string) =>
      (await open.get('/v1/task', { 'x-api-key': explorer.keys.read, origin })).headers
    const headers = await from('https://a.example')
    expect(headers.get('access-control-allow-origin')).toBe('https://a.example')
    expect(headers.get('access-control-expose-headers')).toBe('retry-after,link')
    expect((await from('https://b.example')).get('access-control-allow-origin')).toBeNull()
  })
})

it('takes the network from the header of its brand', async () => {
  const branded = explorer.but({ brand: { networkHeader: 'X-Acme-Network' } })
  const key = { 'x-api-key': explorer.keys.read }
  const total = async (headers: Record<string, string>) =>
    (await branded.get('/v1/task', { ...key, ...headers })).body.total
  expect(await total({ 'x-acme-network': 'base' })).toBe(0)
  expect(await total({ 'x-protocol-network': 'base' })).toBe(25)
})

it('counts requests by route and status', async () => {
  await explorer.get('/v1/policy/none')
  await explorer.get('/v1/x"} 1')
  const text = await explorer.registry.metrics()
  expect(text).toContain('explorer_request_seconds_count{route="getPolicy",status="404"} 1\n')
  expect(text).not.toContain('"} 1"')
})
