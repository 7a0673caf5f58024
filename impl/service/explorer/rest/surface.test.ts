import request from 'supertest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Listener, serve } from '../../gateway/serve.ts'
import { openTestExplorer, policyRow, type TestExplorer, taskRow } from './explorer.fixture.ts'

/** The API over a socket. */
let explorer: TestExplorer
let listener: Listener
beforeAll(async () => {
  explorer = await openTestExplorer()
  listener = await serve({ fetch: explorer.app.fetch, port: 0, hostname: '127.0.0.1' })
})
afterAll(async () => {
  await listener?.close()
  await explorer?.close()
})

const get = (path: string) => request(listener.url).get(path)
const read = (path: string) => get(path).set('x-api-key', explorer.keys.read)
const task = taskRow(25)
const policy = policyRow(12)
const paths = [
  `/v1/task/${task.id}`,
  '/v1/task',
  `/v1/policy/${policy.address}`,
  '/v1/policy',
  `/v1/policy/id/${task.policy_id}/task`,
  `/v1/policy/address/${task.policy_address}/task`,
  '/v1/stats?task_window_start=2026-01-01',
]
const keyRequired = { detail: 'API key required (Authorization: Bearer or X-API-Key)' }
const keyInvalid = { detail: 'invalid or expired API key' }
const forbidden = { detail: 'API key missing required permission: rpc_read' }

describe('every path', () => {
  it.each(paths)('%s answers with JSON that must not be cached', async (path) => {
    await read(path)
      .expect(200)
      .expect('content-type', /^application\/json/)
      .expect('cache-control', 'no-store')
      .expect('x-content-type-options', 'nosniff')
  })

  it.each(paths)('%s answers HEAD as GET, without the body', async (path) => {
    const { text } = await request(listener.url)
      .head(path)
      .set('x-api-key', explorer.keys.read)
      .expect(200)
    expect(text).toBeUndefined()
  })

  it.each(paths)('%s accepts no other method', async (path) => {
    for (const method of ['post', 'put', 'patch', 'delete', 'options'] as const) {
      const { body } = await request(listener.url)
        [method](path)
        .set('x-api-key', explorer.keys.read)
        .expect(405)
        .expect('allow', 'GET, HEAD')
      expect(body).toEqual({ detail: 'Method Not Allowed' })
    }
  })

  it.each(paths)('%s requires a key', async (path) => {
    await get(path).expect(401, keyRequired).expect('www-authenticate', 'Bearer')
    await get(path).set('x-api-key', 'key_unknown').expect(401, keyInvalid)
    await get(path).set('x-api-key', explorer.keys.write).expect(403, forbidden)
  })
})

it.each([
  '/',
  '/v1',
  '/v1/',
  '/v1/tasks',
  '/v1/task/',
  '/v2/task',
  '/V1/task',
  '//v1/task',
  '/rpc',
])('%s is not found', async (path) => {
  await read(path).expect(404, { detail: 'Not Found' })
})

describe('key', () => {
  const path = '/v1/task?size=1'
  it('is read from either header, with the scheme in any letter case', async () => {
    const { keys } = explorer
    for (const key of [keys.read, keys.rpc]) {
      await get(path).set('x-api-key', key).expect(200)
      for (const scheme of ['Bearer', 'bearer', 'BEARER'])
        await get(path).set('authorization', `${scheme} ${key}`).expect(200)
    }
  })

  it('is used exclusively when it follows Bearer', async () => {
    const { keys } = explorer
    const both = (bearer: string, own: string) =>
      get(path).set('authorization', bearer).set('x-api-key', own)
    await both(`Bearer ${keys.read}`, 'key_unknown').expect(200)
    await both('Bearer key_unknown', keys.read).expect(401, keyInvalid)
    await both(`Bearer ${keys.write}`, keys.read).expect(403, forbidden)
    await both('Basic dXNlcjpwYXNz', keys.read).expect(200)
    await both('Bearer', keys.read).expect(200)
  })

  it.each([
    ['nothing', {}],
    ['an empty header', { 'x-api-key': '' }],
    ['a scheme alone', { authorization: 'Bearer' }],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
  ])('is required: %s', async (_, headers: Record<string, string>) => {
    await get(path).set(headers).expect(401, keyRequired)
  })

  it('is not read from the query', async () => {
    await get(`/v1/task?api_key=${explorer.keys.read}`).expect(401, keyRequired)
  })

  it.each([
    ['expired', () => ({ 'x-api-key': explorer.keys.expired })],
    ['of another letter case', () => ({ 'x-api-key': explorer.keys.read.toUpperCase() })],
    ['cut', () => ({ 'x-api-key': explorer.keys.read.slice(0, -1) })],
    ['two in one', () => ({ 'x-api-key': `${explorer.keys.read}, ${explorer.keys.read}` })],
    ['with trailing text', () => ({ authorization: `Bearer ${explorer.keys.read} x` })],
    ['very long', () => ({ 'x-api-key': 'k'.repeat(5_000) })],
    ['beyond ASCII', () => ({ 'x-api-key': 'clé-clé-clé-clé-clé' })],
  ])('is rejected when it is %s', async (_, headers) => {
    await get(path).set(headers()).expect(401, keyInvalid)
  })

  it.each(['none', 'write', 'admin'] as const)('with permission %s may not read', async (name) => {
    await get(path).set('x-api-key', explorer.keys[name]).expect(403, forbidden)
  })

  it('is rejected on the request after it was rotated or deleted', async () => {
    const { apiKeys } = explorer.store
    const { key, record } = await apiKeys.create({ name: 'k', permissions: ['rpc_read'] })
    await get(path).set('x-api-key', key).expect(200)
    const { key: next } = await apiKeys.rotate(record.id)
    await get(path).set('x-api-key', key).expect(401, keyInvalid)
    await get(path).set('x-api-key', next).expect(200)
    await apiKeys.delete(record.id)
    await get(path).set('x-api-key', next).expect(401, keyInvalid)
  })

  it('never appears in the log', () => {
    const lines = explorer.log.join('')
    expect(lines).toContain('"route":"listTasks"')
    for (const key of Object.values(explorer.keys)) expect(lines).not.toContain(key)
  })
})

describe('network', () => {
  it('is testnet without the header', async () => {
    const { body } = await read('/v1/task?size=1').expect(200)
    expect(body).toMatchObject({ total: 25, results: [{ network: 'testnet' }] })
    await read('/v1/task?size=1').set('X-Protocol-Network', 'testnet').expect(200, body)
  })

  it.each(['base-sepolia', 'mainnet', 'base'])('%s has no rows of testnet', async (network) => {
    const on = (path: string) => read(path).set('X-Protocol-Network', network)
    const empty = { total: 0, page: 1, size: 10, results: [] }
    await on(paths[0]!).expect(404, { detail: 'Task not found.' })
    await on(paths[1]!).expect(200, empty)
    await on(paths[2]!).expect(404, { detail: 'Policy Template not found.' })
    for (const list of paths.slice(3, 6)) await on(list).expect(200, empty)
    await on(paths[6]!).expect(200, { total_tasks: 0, total_policies: 0 })
  })

  it.each(['Testnet', 'sepolia', 'testnet, testnet', '', 'base ', '\u00e9'])(
    'is rejected when it is not one of the four: %j',
    async (network) => {
      for (const path of [...paths, `/v1/task/${taskRow(99).id}`, '/v1/task?size=0']) {
        const answer = read(path).set('X-Protocol-Network', network)
        // Trailing spaces are not part of a header's value.
        if (network === 'base ') expect((await answer).status).not.toBe(400)
        else await answer.expect(400, { detail: 'Invalid protocol network header' })
      }
    },
  )
})

describe('the id or address in the path', () => {
  it('is found in any letter case', async () => {
    const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
    const { body } = await read(`/v1/policy/${upper(policy.address)}`).expect(200)
    expect(body.address).toBe(policy.address)
    await read(`/v1/policy/0X${policy.address.slice(2)}`).expect(200, body)
    const byId = `/v1/policy/id/${upper(task.policy_id!)}/task`
    expect((await read(byId).expect(200)).body.total).toBe(9)
  })

  it.each(['0x', '1', `0x${'0'.repeat(63)}`, `0x${'0'.repeat(65)}`, `0x${'g'.repeat(64)}`, '%00'])(
    'is not found when it is malformed: %s',
    async (name) => {
      await read(`/v1/task/${name}`).expect(404, { detail: 'Task not found.' })
      await read(`/v1/policy/${name}`).expect(404, { detail: 'Policy Template not found.' })
      for (const list of [`/v1/policy/id/${name}/task`, `/v1/policy/address/${name}/task`])
        await read(list).expect(200, { total: 0, page: 1, size: 10, results: [] })
    },
  )
})

it('links to pages, all as of the first one', async () => {
  const { headers, body } = await read('/v1/task?page=2&size=10').expect(200)
  expect(headers.link).toBe(
    [
      '<?page=1&size=10&as_of=25>; rel="first"',
      '<?page=1&size=10&as_of=25>; rel="prev"',
      '<?page=3&size=10&as_of=25>; rel="next"',
      '<?page=3&size=10&as_of=25>; rel="last"',
    ].join(', '),
  )
  expect(body.results.map(({ created_block }: { created_block: number }) => created_block)).toEqual(
    [15, 14, 13, 12, 11, 10, 9, 8, 7, 6],
  )
  const earlier = await read('/v1/task?page=1&size=3&as_of=20').expect(200)
  expect(earlier.body.results[0].created_block).toBe(20)
  expect(earlier.headers.link).toContain('<?page=2&size=3&as_of=20>; rel="next"')
  const beyond = await read('/v1/task?page=1000000000000&size=100').expect(200)
  expect(beyond.body).toEqual({ total: 25, page: 1e12, size: 100, results: [] })
  expect(beyond.headers.link).not.toContain('next')
})

describe('/openapi.json and /docs', () => {
  it('require no key', async () => {
    const { body } = await get('/openapi.json').expect(200).expect('content-type', /json/)
    expect(body.openapi).toBe('3.1.1')
    await get('/docs').expect(200).expect('content-type', 'text/html; charset=utf-8')
    await request(listener.url).post('/docs').expect(405)
    await get('/v1/docs').expect(404)
  })
})
