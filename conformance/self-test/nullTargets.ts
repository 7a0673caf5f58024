import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { Target } from 'polgate-conformance/core/target.ts'
import { fixture } from 'polgate-conformance/kit/scenarios/fixtures.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'

/** Gateways that do nothing right. A check that passes on one of them proves nothing anywhere. */
export const nullServers = {
  /** Always 404 without a body. */
  empty: () => new Hono(),
  /** Always 200 with a friendly body. */
  'constant-200': () => new Hono().all('*', (c) => c.json({ ok: true })),
  /** Returns the request body. */
  echo: () => new Hono().all('*', async (c) => c.body(await c.req.text(), 200)),
  /** Rejects every key, with the specified message. */
  '401-everything': () =>
    new Hono().all('*', (c) =>
      c.json(
        { jsonrpc: '2.0', error: { code: -32001, message: 'Invalid API key' }, id: null },
        401,
      ),
    ),
  /** Reports success of everything, outside JSON-RPC. */
  'success-everything': () => new Hono().all('*', (c) => c.json({ success: true, error: null })),
  /** Rejects every call, with the specified message. */
  'reject-everything': jsonRpc({
    error: { code: -32602, message: 'Invalid request format: everything' },
  }),
  /** Fails every call. */
  'fail-everything': jsonRpc({ error: { code: -32603, message: 'Internal error' } }),
  /** Reports success of every call. */
  'succeed-everything': jsonRpc({ result: { success: true, error: null } }),
  /** Reports the failure of every operation. */
  'unsuccessful-everything': jsonRpc({ result: { success: false, error: 'Task failed' } }),
  /** Results without content. */
  'null-results': jsonRpc({ result: null }),
  'empty-results': jsonRpc({ result: {} }),
  'array-results': jsonRpc({ result: [] }),
  /** Empty pages of every list. */
  'empty-lists': () => new Hono().all('*', (c) => c.json({ data: [], total: 0, next: null })),
} as const

/** A gateway that answers each call with the same result or error, and its id. */
function jsonRpc(answer: Readonly<Record<string, unknown>>): () => Hono {
  return () =>
    new Hono().all('*', async (c) => {
      const request = (await c.req.json().catch(() => undefined)) as { id?: unknown } | undefined
      return c.json({ jsonrpc: '2.0', ...answer, id: request?.id ?? null })
    })
}

export type NullServer = { readonly url: string; readonly close: () => Promise<void> }

/** Starts one of them on a free port of loopback. */
export async function startNullServer(name: keyof typeof nullServers): Promise<NullServer> {
  const server = serve({ fetch: nullServers[name]().fetch, hostname: '127.0.0.1', port: 0 })
  await new Promise<void>((resolve) => server.once('listening', () => resolve()))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

const address = (digit: string) => `0x${digit.repeat(40)}` as const
const bytes32 = (digit: string) => `0x${digit.repeat(64)}` as const

/** A target that claims every capability, so that no check is skipped as untestable. */
export const overclaimingTarget = (url: string): Target => ({
  name: 'null',
  gatewayUrl: url,
  brand: defaultBrand,
  keys: {
    read: 'key-read-of-nobody',
    write: 'key-write-of-nobody',
    rpc: 'key-rpc-of-nobody',
    none: 'key-none-of-nobody',
    expired: 'key-expired-of-nobody',
    stranger: 'key-stranger-of-nobody',
    admin: 'key-admin-of-nobody',
  },
  controlUrl: url,
  fixtureHostUrl: url,
  explorerUrl: url,
  networks: {
    'base-sepolia': {
      rpcUrl: url,
      chainId: 31338,
      taskManager: address('1'),
      policyFactory: address('a'),
    },
  },
  chain: {
    rpcUrl: url,
    chainId: 31337,
    taskManager: address('1'),
    operatorRegistry: address('2'),
    identityRegistry: address('6'),
    confidentialDataRegistry: address('7'),
  },
  accounts: {
    owner: { address: address('3'), privateKey: bytes32('3') },
    sender: { address: address('4'), privateKey: bytes32('4') },
    recipient: { address: address('5') },
    stranger: { address: address('8'), privateKey: bytes32('8') },
    provider: { address: address('3'), privateKey: bytes32('3') },
  },
  operators: ['6', '7', '8', '9'].map((digit) => ({
    address: address(digit),
    id: bytes32(digit),
    stake: '25',
  })),
  clients: Object.fromEntries(
    Object.values(fixture).map((name) => [
      name,
      {
        fixture: fixtureOf(name),
        policyClient: address('a'),
        policyAddress: address('b'),
        policyId: bytes32('c'),
        policyData: ['d', 'e'].map((digit) => ({
          address: address(digit),
          packId: 'pack',
          wasmCid: 'bafy',
        })),
        exposesDomain: true,
        domain: { name: 'PolicyClient', version: '1' },
        expireAfter: 100,
      },
    ]),
  ),
  notApplicable: {},
})

/** Variants of a client run the fixture of the original. */
function fixtureOf(name: string): string {
  if (name === fixture.otherPolicyVersion) return fixture.simple
  const priced: readonly string[] = [
    fixture.ownerless,
    fixture.strangers,
    fixture.withoutSecrets,
    fixture.otherDataVersion,
  ]
  return priced.includes(name) ? fixture.priced : name
}
