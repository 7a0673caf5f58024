import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createContentStore } from '../content/contentStore.ts'
import { loadEncryptionKey } from '../envelopes/encryptionKey.ts'
import type { Operator } from './operator.ts'
import { type OperatorParts, openOperatorParts } from './operatorParts.ts'

const nobody = `0x${'ab'.repeat(20)}` as const
/** A content id without content in this test. */
const cid = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'
const forever = new AbortController().signal

let home: string
let gateway: Server
let answer: (response: ServerResponse) => void
let parts: OperatorParts
let operator: Operator
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'operator-contents-'))
  gateway = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  const { port } = gateway.address() as AddressInfo
  parts = await openOperatorParts({
    config: {
      content: {
        directory: join(home, 'content'),
        gateways: [`http://127.0.0.1:${port}`],
        timeoutMs: 60_000,
        headStartMs: 60_000,
      },
      oracles: { cacheDir: join(home, 'cache'), allowedHosts: [], warm: 0, limits: {} },
    },
    clock: Date.now,
    brand: defaultBrand,
    fetch: undefined,
  })
  operator = parts.operator({
    address: nobody,
    blsKey: '01'.repeat(32),
    secretsKey: await loadEncryptionKey('02'.repeat(32)),
    chainId: 31_337,
  })
})
beforeEach(() => {
  answer = (response) => response.writeHead(404).end()
})
afterAll(async () => {
  await parts.close()
  gateway.closeAllConnections()
  gateway.close()
  await rm(home, { recursive: true })
})

const intent = {
  from: nobody,
  to: nobody,
  value: '0x0',
  data: '0x',
  chain_id: '0x7a69',
  function_signature: '0x',
} as const
const request = {
  policy: { source: 'package p\n\nallow := true' },
  entrypoint: 'p.allow',
  intent,
  intentSignature: null,
  intentDigest: null,
  params: '{}',
  paramsSchemaCid: '',
  data: [],
  now: 0,
}

/** Every call for which an operator fetches content, with the prefix of its errors. */
const calls: readonly [string, string, (id: string, signal: AbortSignal) => Promise<unknown>][] = [
  [
    'a component',
    'WASM execution failed: ',
    (wasmCid, signal) => {
      const source = { policyDataAddress: nobody, wasmCid, wasmArgs: '0x', envelope: null } as const
      return operator.collectData({ policyClient: nobody, sources: [source] }, signal)
    },
  ],
  [
    'a policy',
    'Rego evaluation failed: the policy: ',
    (id, signal) => operator.evaluate({ ...request, policy: { cid: id } }, signal),
  ],
  [
    'the schema of the params',
    'Rego evaluation failed: the schema of the params: ',
    (id, signal) => operator.evaluate({ ...request, paramsSchemaCid: id }, signal),
  ],
  [
    'the schema of secrets',
    'Secrets upload validation failed: the secrets schema: ',
    (schemaCid, signal) =>
      operator.checkSecrets(
        { policyClient: nobody, policyDataAddress: nobody, schemaCid, envelope: '{}' },
        signal,
      ),
  ],
]

describe.each(calls)('fetching %s', (_what, prefix, call) => {
  it('reports missing content as retryable', async () => {
    await expect(call(cid, forever)).rejects.toMatchObject({
      message: `${prefix}the content ${cid} is unavailable: no source has it`,
      ...(prefix.startsWith('Secrets') ? {} : { retryable: true }),
    })
  })

  it('rejects bytes that do not match the content id', async () => {
    answer = (response) => response.end('other bytes')
    await expect(call(cid, forever)).rejects.toThrow(
      /the gateway 127.0.0.1:\d+ returned bytes that/,
    )
  })

  it('reports an invalid content id as not retryable', async () => {
    await expect(call('nonsense', forever)).rejects.toMatchObject({
      message: `${prefix}nonsense is not a content id`,
      retryable: false,
    })
  })

  it('is aborted with the task, but only for that task', async () => {
    const open = new Set<ServerResponse>()
    answer = (response) => {
      open.add(response)
      response.on('close', () => open.delete(response))
    }
    const first = new AbortController()
    const second = new AbortController()
    const calls = [call(cid, first.signal), call(cid, second.signal)]
    const endings = Promise.allSettled(calls)
    await expect.poll(() => open.size).toBe(1)
    first.abort(new Error('the first task has ended'))
    await expect(calls[0]).rejects.toThrow('the first task has ended')
    expect(open.size).toBe(1)
    second.abort(new Error('the second task has ended'))
    await expect(calls[1]).rejects.toThrow('the second task has ended')
    await expect.poll(() => open.size).toBe(0)
    await endings
  })
})

it('rejects a policy that is not text', async () => {
  const store = createContentStore({ directory: join(home, 'content') })
  const binary = await store.put(Uint8Array.of(0xff, 0xfe, 0x00))
  await expect(
    operator.evaluate({ ...request, policy: { cid: binary } }, forever),
  ).rejects.toMatchObject({ message: 'Rego evaluation failed: the policy is not text' })
})

it('reports a PolicyData without a component', async () => {
  const component = calls[0]![2]
  await expect(component('', forever)).rejects.toMatchObject({
    message: `WASM execution failed: PolicyData ${nobody} has no component`,
    retryable: false,
  })
})
