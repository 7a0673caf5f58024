import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { devAccount } from 'polgate-chain/accounts.ts'
import { type RunningAnvil, startAnvil } from 'polgate-chain/anvil.ts'
import { sampleTokenAbi } from 'polgate-chain/artifacts/abis.ts'
import { deploySampleToken } from 'polgate-chain/deploy.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { writeStackFile } from 'polgate-local/stackFile.ts'
import { plainIntent } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import { startReceiver } from 'polgate-service/webhooks/receiver.fixture.ts'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { brandOption } from './stack/brandOption.ts'
import { mockStack } from './stack/mockStack.ts'
import { type Ran, runMain } from './testing/runMain.ts'

// One stack with every option that changes chain or names: each name differs from all others.
const brand = brandOption([
  'methods=alpha',
  'topics=beta/',
  'signature-header=gamma',
  'network-header=delta',
  'host-interface=epsilon:host',
  'rego-namespace=zeta',
])
const upstreamId = 5_150
let upstream: RunningAnvil
let token: Address
let stack: LocalStack
let directory: string
let file: string
let imported: string
let importing: Ran
let closeMocks: (() => Promise<void>) | undefined

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-variants-'))
  upstream = await startAnvil({ chainId: upstreamId })
  const owner = await createTransactor({ rpcUrl: upstream.url, account: devAccount(0) })
  token = await deploySampleToken(owner)
  const foreign = fileURLToPath(new URL('../../fixtures/packages/release-guard', import.meta.url))
  imported = join(directory, 'release-guard')
  importing = await runMain('policy', 'import', foreign, '-o', imported)
  const mocks = await mockStack([join(imported, 'mocks.yaml')])
  closeMocks = mocks.close
  stack = await startTestStack({
    ...{ brand, forkUrl: upstream.url, blockTime: 1, timeTravel: true },
    parts: { oracleEgress: mocks.egress },
  })
  file = join(directory, 'stack.json')
  await writeStackFile(stack.description, file)
}, 120_000)
afterAll(async () => {
  await stack?.close()
  await closeMocks?.()
  await upstream?.stop()
  await rm(directory, { recursive: true })
})

const run = (...args: readonly string[]) => runMain(...args, '--target', file)

async function post(method: string, params: unknown) {
  const response = await fetch(`${stack.description.gatewayUrl}/rpc`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${stack.description.apiKeys.rpc}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()) as {
    result?: Record<string, unknown>
    error?: { code: number }
  }
}

describe('names of a brand, one by one', () => {
  test('methods', async () => {
    expect((await post('alpha_getSecretsPublicKey', {})).error?.code).not.toBe(-32601)
    for (const prefix of ['svc_', 'acme_', 'beta_'])
      expect((await post(`${prefix}createTask`, {})).error?.code).toBe(-32601)
  })

  test('topics', async () => {
    const { gatewayUrl, apiKeys, clients } = stack.description
    const sent = await post('alpha_sendTask', {
      policy_client: clients['allow-list']!.policyClient,
      intent: plainIntent(stack.description, 11),
    })
    const id = String(sent.result?.task_id)
    const socket = new WebSocket(`${gatewayUrl.replace('http', 'ws')}/ws`, {
      headers: { authorization: `Bearer ${apiKeys.rpc}` },
    })
    const texts: string[] = []
    socket.on('message', (data) => texts.push(String(data)))
    await new Promise((resolve) => socket.once('open', resolve))
    const subscribe = (prefix: string) =>
      socket.send(JSON.stringify({ type: 'subscribe', id: prefix, method: `${prefix}${id}` }))
    for (const prefix of ['service.task.', 'beta.task.', 'beta/']) subscribe(prefix)
    const kinds = () =>
      Object.fromEntries(
        texts.map((text) => JSON.parse(text)).map(({ id: about, type }) => [about, type]),
      )
    await expect
      .poll(kinds, { timeout: 20_000 })
      .toMatchObject({ 'service.task.': 'error', 'beta.task.': 'error', 'beta/': 'subscribed' })
    socket.close()
  })

  test('the header of a webhook', async () => {
    const receiver = await startReceiver()
    try {
      await post('alpha_registerWebhook', { url: receiver.url, secret: 'hush' })
      await post('alpha_sendTask', {
        policy_client: stack.description.clients['trapping-oracle']!.policyClient,
        intent: plainIntent(stack.description, 12),
      })
      await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(0)
      const { headers } = receiver.received[0]!
      expect(headers['x-gamma-signature']).toMatch(/[0-9a-f]{64}/)
      expect(headers['x-service-signature']).toBeUndefined()
    } finally {
      await post('alpha_unregisterWebhook', {})
      await receiver.close()
    }
  })

  test('the header of the explorer', async () => {
    const { explorerUrl, apiKeys } = stack.description
    const status = async (name: string) => {
      const headers = { 'x-api-key': apiKeys.read, [name]: 'moon' }
      return (await fetch(`${explorerUrl}/v1/task?size=1`, { headers })).status
    }
    expect(await status('x-delta-network')).toBe(400)
    expect(await status('x-protocol-network')).toBe(200)
  })

  test('the host interface: oracles of the fixtures have it, and answer', async () => {
    const made = await run(
      ...['task', 'create', '--client', 'priced-transfer', '--to', 'recipient'],
      ...['--wasm-args', '{"symbol":"ETH"}'],
    )
    expect(made).toMatchObject({ code: 0, stderr: '' })
  })

  test('the namespace in Rego: a policy calls its extension', async () => {
    const simulated = async (namespace: string) => {
      const policy = `package policy\n\nallow if ${namespace}.crypto.ecdsa_recover_signer("0x", "0x") == "x"\n`
      const { result, error } = await post('alpha_simulatePolicy', {
        policy_client: stack.description.clients['allow-list']!.policyClient,
        policy,
        entrypoint: 'policy.allow',
        policy_params: {},
        policy_data: [],
        intent: plainIntent(stack.description, 13),
      })
      return JSON.stringify(result ?? error)
    }
    expect(await simulated('service')).toContain('service.crypto')
    expect(await simulated('zeta')).not.toContain('undefined function')
  })
})

describe('a fork with a block each second', () => {
  test('has the chain id and the contracts of the other chain', async () => {
    expect(stack.description.chain.chainId).toBe(upstreamId)
    expect(stack.chain.chainId).toBe(upstreamId)
    expect(await chainRpc(stack.chain.url, 'eth_chainId')).toBe('0x141e')
  })

  test('an attestation is spent on a contract of the other chain; the other chain stays', async () => {
    const { accounts, clients } = stack.description
    const owner = await createTransactor({ rpcUrl: stack.chain.url, account: devAccount(0) })
    const client = clients['allow-list']!.policyClient
    const abi = sampleTokenAbi
    await owner.write({ address: token, abi, functionName: 'transfer', args: [client, 5n] })
    const { recipient } = accounts
    const made = await run(
      ...['task', 'create', '--client', 'cap', '--to', token, '--json'],
      ...['--call', 'balanceOf(address)', recipient.address],
    )
    expect(made.code).toBe(0)
    const spent = await run(
      'task',
      'spend',
      JSON.parse(made.stdout).taskId,
      '--key',
      'sender',
      '--json',
    )
    expect(JSON.parse(spent.stdout)).toMatchObject({ executed: true })
    const balance = (rpcUrl: string) =>
      createTransactor({ rpcUrl, account: devAccount(0) }).then(({ client: reader }) =>
        reader.readContract({ address: token, abi, functionName: 'balanceOf', args: [client] }),
      )
    expect(await Promise.all([balance(stack.chain.url), balance(upstream.url)])).toEqual([5n, 0n])
  })

  test('blocks come without transactions; time travel and snapshots keep the interval', async () => {
    const block = async () => Number(await chainRpc(stack.chain.url, 'eth_blockNumber'))
    const grows = async () => {
      const before = await block()
      await expect.poll(block, { timeout: 10_000 }).toBeGreaterThan(before)
    }
    await grows()
    const snapshot = await run('chain', 'snapshot', '--json')
    expect(snapshot.code).toBe(0)
    expect((await run('chain', 'warp', '3600')).code).toBe(0)
    const made = await run('task', 'create', '--client', 'cap', '--to', 'recipient', '--value', '3')
    expect(made).toMatchObject({ code: 0 })
    expect((await run('chain', 'revert', JSON.parse(snapshot.stdout).id ?? '')).code).toBe(0)
    await grows()
    expect(await chainRpc(stack.chain.url, 'anvil_getIntervalMining')).toBe(1)
    const again = await run(
      'task',
      'create',
      '--client',
      'cap',
      '--to',
      'recipient',
      '--value',
      '4',
    )
    expect(again).toMatchObject({ code: 0 })
  })

  test('a snapshot of the chain is refused: it would lack what was forked', async () => {
    const response = await fetch(`${stack.description.controlUrl}/snapshot`, { method: 'POST' })
    expect([response.status, await response.text()]).toEqual([
      422,
      expect.stringContaining('the chain is a fork'),
    ])
  })
})

describe('a package in the layout and with the names of another brand', () => {
  test('is imported with its names, schemas, parameters and recorded exchanges', async () => {
    expect([importing.code, importing.stdout]).toEqual([0, expect.stringContaining('next:')])
    expect(importing.stderr).toContain('renamed acme.crypto.ecdsa_recover_signer_personal')
    expect(importing.stderr).toContain('renamed acme:provider/http@0.1.0, acme:provider/secrets')
    const all = await Promise.all(
      (await readdir(imported, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')),
    )
    expect(all.join()).not.toContain('of-the-person-who-saved-it')
  })

  test('runs from its tests to a spent attestation without an edit', async () => {
    const tested = await runMain('policy', 'test', imported)
    expect([tested.code, tested.stderr]).toEqual([0, expect.not.stringContaining('error')])
    const published = await run('policy', 'publish', imported, '--fund', '1ether')
    expect([published.code, published.stderr]).toEqual([0, ''])
    const secrets = join(imported, 'oracles', 'release_feed.test-secrets.json')
    const stored = await run('secrets', 'put', imported, '--file', secrets)
    expect([stored.code, stored.stderr]).toEqual([0, ''])
    const create = (...args: readonly string[]) =>
      run('task', 'create', '--package', imported, '--chain-id', '5150', ...args)
    const allowed = await create('--json')
    expect([allowed.code, allowed.stderr]).toEqual([0, ''])
    const spent = await run('task', 'spend', JSON.parse(allowed.stdout).taskId)
    expect([spent.code, spent.stderr]).toEqual([0, ''])
    const denied = await create('--wasm-args', '{"name":"old"}')
    expect([denied.code, denied.stdout]).toEqual([
      1,
      expect.stringContaining('reason    version is not released'),
    ])
  })
})
