import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { step, tape } from 'polgate-conformance/kit/scenarios/probe.ts'
import { expect } from 'vitest'
import { test } from '../vitest/index.ts'
import { replyBody, replyJson, replyNothing } from './oracleReply.ts'
import type { Stack } from './stack.ts'

/** Runs a fetch of the probe on one operator. */
async function fetched(stack: Stack, request: Parameters<typeof step.fetch>[0]) {
  const { policyData } = stack.clients.probed!
  const { policy_data } = await stack.client.simulatePolicyData({
    policy_data_address: policyData[0]!.address,
    chain_id: stack.chain.chainId,
    wasm_args: tape(step.fetch(request)),
  })
  const { done } = (policy_data.data as { probe: { done: Record<string, unknown>[] } }).probe
  const { status, body, error } = done[0]!
  const text = (hex: unknown) => Buffer.from(String(hex), 'hex').toString()
  return error === undefined ? { status, body: text(body) } : { error: text(error) }
}

test('a hard-coded https host is answered by the test', async ({ stack, client }) => {
  const mock = await stack.oracles.mock('sanctions.example', ({ url }) => ({
    listed: url.pathname.endsWith(stack.accounts.stranger.address.toLowerCase()),
  }))
  const { policyClient: policy_client } = await stack.deployPolicy({
    rego: `package screened
default allow := false
allow if count(deny) == 0
deny contains "listed" if data.wasm.sanctions.listed
deny contains "no answer" if not is_boolean(data.wasm.sanctions.listed)`,
    oracles: [
      {
        name: 'sanctions',
        component: join(
          fileURLToPath(new URL('../../../fixtures/oracles/', import.meta.url)),
          'sanctions/oracle.js',
        ),
      },
    ],
  })
  const taskOf = (address: string) =>
    client.createTask({
      policy_client,
      intent: stack.intent(),
      wasm_args: `0x${Buffer.from(JSON.stringify({ sanctions_url: 'https://sanctions.example', address })).toString('hex')}`,
    })
  await expect(taskOf(stack.accounts.recipient.address)).toBeAllowed()
  // Each of the four operators has run the oracle.
  expect(mock.exchanges).toHaveLength(4)
  expect(mock.exchanges[0]).toMatchObject({
    request: {
      method: 'GET',
      url: new URL(
        `https://sanctions.example/sanctions/${stack.accounts.recipient.address.toLowerCase()}`,
      ),
      headers: { accept: 'application/json', host: 'sanctions.example' },
    },
    status: 200,
    responseBody: '{"listed":false}',
  })
  await expect(taskOf(stack.accounts.stranger.address)).toBeDeniedFor('listed')
  expect(mock.exchanges).toHaveLength(8)
})

test('requests to other hosts are refused, with the way to mock them', async ({ stack }) => {
  const { error } = await fetched(stack, { url: 'https://api.example.com/price' })
  expect(error).toBe(
    "requests to api.example.com are refused in tests: no mock for this host. Add stack.oracles.mock('api.example.com', handler), or start the stack with allowedOracleHosts: ['api.example.com:443']",
  )
  expect(await stack.oracles.refusedHosts()).toEqual(['api.example.com'])
})

test('answers by path', async ({ stack }) => {
  await stack.oracles.mock('api.example.com', {
    '/price': { price: 1 },
    '/text': replyBody('plain'),
    '/called': ({ method, json }) => ({ method, sent: json() }),
    '/web': () => Response.json({ web: true }, { status: 201 }),
  })
  const at = (path: string) => fetched(stack, { url: `https://api.example.com${path}` })
  expect(await at('/price?symbol=ETH')).toEqual({ status: 200, body: '{"price":1}' })
  expect(await at('/text')).toEqual({ status: 200, body: 'plain' })
  expect(await at('/web')).toEqual({ status: 201, body: '{"web":true}' })
  expect(
    await fetched(stack, {
      ...{ url: 'https://api.example.com/called', method: 'POST' },
      body: Buffer.from('{"a":1}'),
    }),
  ).toEqual({ status: 200, body: '{"method":"POST","sent":{"a":1}}' })
  expect(await at('/none')).toMatchObject({
    status: 404,
    body: expect.stringContaining('the mock of api.example.com has no path /none: it has /price'),
  })
  // Names of the prototype are not paths.
  expect((await at('/toString')).status).toBe(404)
})

test('failures of a host: statuses, delays, cut connections, handlers that throw', async ({
  stack,
}) => {
  const at = (path: string) => fetched(stack, { url: `https://api.example.com${path}` })
  const mock = await stack.oracles.mock('api.example.com', {
    '/down': replyJson({ error: 'maintenance' }, { status: 503, headers: { 'retry-after': '5' } }),
    '/slow': replyJson({ slow: true }, { delayMs: 300 }),
    '/cut': replyNothing(),
    '/throws': () => {
      throw new Error('on purpose')
    },
  })
  expect(await at('/down')).toEqual({ status: 503, body: '{"error":"maintenance"}' })
  const begin = performance.now()
  expect(await at('/slow')).toEqual({ status: 200, body: '{"slow":true}' })
  expect(performance.now() - begin).toBeGreaterThanOrEqual(300)
  expect(await at('/cut')).toEqual({
    error: expect.stringMatching(/the HTTP call to api.example.com failed/),
  })
  expect(await at('/throws')).toEqual({
    status: 500,
    body: '{"error":"the mock threw: on purpose"}',
  })
  expect(mock.exchanges.map(({ status }) => status)).toEqual([503, 200, 0, 500])
})

test('redirects stay within the mocked host', async ({ stack }) => {
  await stack.oracles.mock('api.example.com', {
    '/moved': () => new Response(null, { status: 302, headers: { location: '/here' } }),
    '/here': 'arrived',
    '/away': () => new Response(null, { status: 302, headers: { location: 'https://b.example/' } }),
  })
  const at = (path: string) => fetched(stack, { url: `https://api.example.com${path}` })
  expect(await at('/moved')).toEqual({ status: 200, body: '"arrived"' })
  expect(await at('/away')).toEqual({
    error: 'the redirect from api.example.com to b.example is not followed: it leaves the host',
  })
})

test('limits of oracles hold for mocks', async ({ stack }) => {
  await stack.oracles.mock('api.example.com', { '*': replyBody('x'.repeat(2 * 1024 * 1024)) })
  const { error } = await fetched(stack, { url: 'https://api.example.com/' })
  expect(error).toMatch(/larger than 1 MiB/)
})

test('a port has a mock of its own; a later mock replaces an earlier one', async ({ stack }) => {
  await stack.oracles.mock('api.example.com:8443', { '*': 'port' })
  const first = await stack.oracles.mock('API.example.com', { '*': 'first' })
  const second = await stack.oracles.mock('api.example.com', { '*': 'second' })
  await first.remove()
  expect(await fetched(stack, { url: 'https://api.example.com:8443/' })).toMatchObject({
    body: '"port"',
  })
  expect(await fetched(stack, { url: 'http://api.example.com/' })).toMatchObject({
    body: '"second"',
  })
  await second.remove()
  expect(await fetched(stack, { url: 'https://api.example.com/' })).toHaveProperty('error')
  expect(await fetched(stack, { url: 'https://api.example.com:8443/' })).toMatchObject({
    body: '"port"',
  })
})

test('the guard stays: neither mocks nor the listener of a test open this machine', async ({
  stack,
}) => {
  await stack.oracles.mock('api.example.com', { '*': 'mocked' })
  for (const url of [
    stack.adminUrl,
    stack.connection.testingUrl,
    'http://169.254.169.254/',
    'file:///etc/passwd',
  ])
    expect(await fetched(stack, { url })).toHaveProperty('error')
  // Credentials in a URL are refused for a mocked host as well.
  expect(await fetched(stack, { url: 'https://a:b@api.example.com/' })).toEqual({
    error: 'credentials go into request headers, not into the URL',
  })
})

test.for([
  ['http://localhost/', 'the name of the local machine'],
  ['http://169.254.169.254/', 'not a public address'],
  ['http://[::1]/', 'not a public address'],
  ['http://api.example.com:25/', 'it is not a port of HTTP'],
] as const)('%s is refused where it is mocked as well', async ([url, why], { stack }) => {
  const { exchanges } = await stack.oracles.mock(new URL(url).host, { '*': 'mocked' })
  expect(await fetched(stack, { url })).toEqual({ error: expect.stringContaining(why) })
  expect(exchanges).toEqual([])
})

test('a path of two slashes is a path of the mocked host', async ({ stack }) => {
  const mock = await stack.oracles.mock('api.example.com', { '//v1/price': { price: 1 } })
  expect(await fetched(stack, { url: 'https://api.example.com//v1/price?a=b' })).toEqual({
    status: 200,
    body: '{"price":1}',
  })
  expect(mock.exchanges[0]?.request.url.href).toBe('https://api.example.com//v1/price?a=b')
})

test.for(['https://api.example.com', 'api.example.com/path', '', 'a b', 'user@host'])(
  '%j is no host',
  async (host, { stack }) => {
    await expect(stack.oracles.mock(host, {})).rejects.toThrow(
      /oracles\.mock\(\) takes a host, not .* Write 'api\.example\.com' without a scheme or path/,
    )
  },
)

test('a path without a slash is refused', async ({ stack }) => {
  await expect(stack.oracles.mock('a.example', { price: 1 } as never)).rejects.toThrow(
    /The path "price" of the mock of a\.example is none\. Paths begin with a slash/,
  )
})
