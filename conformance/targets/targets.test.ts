import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type NullServer,
  overclaimingTarget,
  startNullServer,
} from 'polgate-self-test/nullTargets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Check } from '../core/check.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { expectReachable, probeCapabilities } from './capabilities.ts'
import { receiverUrl, updatesUrl } from './places.ts'
import { shownTarget } from './shownTarget.ts'
import { secretsOf, withWaivers } from './target.ts'
import { readTargetFile } from './targetFile.ts'
import { targetOf } from './url.ts'

const directory = mkdtempSync(join(tmpdir(), 'targets-'))
afterAll(() => rmSync(directory, { recursive: true }))

function file(name: string, content: unknown): string {
  const path = join(directory, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
const absent = join(directory, 'absent.json')
const target = ({
  targetFile,
  ...options
}: Partial<Parameters<typeof targetOf>[0]> & { targetFile?: string } = {}) =>
  targetOf({
    url: 'http://127.0.0.1:8600',
    stackFile: absent,
    env: {},
    ...(targetFile === undefined ? {} : { file: readTargetFile(targetFile) }),
    ...options,
  })

const {
  keys,
  notApplicable: _,
  name: __,
  networks,
  ...rest
} = overclaimingTarget('http://127.0.0.1:8600')
const stack = { version: 1, pid: 1, ...rest, apiKeys: keys }

describe('a URL as target', () => {
  test('is accepted with and without the path of the endpoint', () => {
    for (const url of [
      'http://a.example',
      'http://a.example/',
      'http://a.example/rpc',
      'http://a.example/rpc/',
    ])
      expect(target({ url }).gatewayUrl).toBe('http://a.example')
    expect(target({ url: 'https://a.example/base/rpc' }).gatewayUrl).toBe('https://a.example/base')
  })

  test('must be valid, and contain no credentials', () => {
    expect(() => target({ url: 'gateway' })).toThrow(CannotRun)
    expect(() => target({ url: 'ftp://a.example' })).toThrow('not an http or https URL')
    expect(() => target({ url: 'http://u:p@a.example' })).toThrow('credentials')
  })

  test('takes its keys from the environment', () => {
    const env = { SVC_KEY_READ: 'reader', SVC_KEY_NONE: '' }
    expect(target({ env }).keys).toEqual({ read: 'reader' })
  })

  test('is described by the stack that runs at its address, and by no other', () => {
    const stackFile = file('stack.json', stack)
    expect(target({ stackFile }).chain?.chainId).toBe(31337)
    expect(target({ stackFile, url: 'http://localhost:8600/rpc' }).keys.read).toBe(keys.read)
    expect(target({ stackFile, url: 'http://127.0.0.1:8601' }).chain).toBeUndefined()
    expect(target({ stackFile: file('broken.json', '{') }).chain).toBeUndefined()
  })

  test('includes every listener of that stack: nothing it offers is reported missing', () => {
    const listeners = {
      controlUrl: 'http://127.0.0.1:1',
      chaosUrl: 'http://127.0.0.1:2',
      fixtureHostUrl: 'http://127.0.0.1:3',
      explorerUrl: 'http://127.0.0.1:4',
    }
    const stackFile = file('listeners.json', { ...stack, ...listeners })
    expect(target({ stackFile })).toMatchObject(listeners)
  })

  test('keys of the environment override those of the stack', () => {
    const stackFile = file('stack.json', stack)
    expect(target({ stackFile, env: { SVC_KEY_READ: 'mine' } }).keys.read).toBe('mine')
  })
})

describe('a target file', () => {
  test('provides its settings, including another brand', () => {
    const targetFile = file('target.json', {
      brand: { methodPrefix: 'acme_' },
      chain: stack.chain,
      notApplicable: { 'operator-control': 'operators of production are not stopped' },
    })
    const known = target({ targetFile })
    expect(known.brand.methodPrefix).toBe('acme_')
    expect(known.brand.topicPrefix).toBe('service.task.')
    expect(known.chain?.chainId).toBe(31337)
    expect(Object.keys(known.notApplicable)).toEqual(['operator-control'])
  })

  test('sets the addresses of updates and webhooks', () => {
    const webhookReceiver = { url: 'https://hooks.example', port: 9000 }
    const targetFile = file('events.json', {
      updatesUrl: 'wss://events.example/v2',
      webhookReceiver,
    })
    expect(target({ targetFile }).webhookReceiver).toEqual(webhookReceiver)
    expect(updatesUrl(target({ targetFile }))).toBe('wss://events.example/v2')
    expect(updatesUrl(target({ url: 'https://a.example/base' }))).toBe('wss://a.example/base/ws')
    const wrong = file('wrong-events.json', { updatesUrl: 'https://events.example' })
    expect(() => target({ targetFile: wrong })).toThrow('updatesUrl')
  })

  test('sets the address of the explorer, and flags override it', () => {
    const explorerUrl = 'https://file.example/v1/'
    const targetFile = file('explorer.json', { explorerUrl, explorerNetwork: 'base' })
    const stackFile = file('stack.json', { ...stack, explorerUrl: 'http://127.0.0.1:8605' })
    const env = { SVC_EXPLORER_URL: 'https://env.example/explorer/' }
    expect(target().explorerUrl).toBeUndefined()
    expect(target({ stackFile }).explorerUrl).toBe('http://127.0.0.1:8605')
    expect(target({ stackFile, targetFile }).explorerUrl).toBe('https://file.example')
    expect(target({ targetFile }).explorerNetwork).toBe('base')
    expect(() => target({ targetFile, explorerUrl: '' })).toThrow(
      'the URL of the explorer is empty',
    )
    expect(target({ targetFile, env }).explorerUrl).toBe('https://env.example/explorer')
    const networks = { base: {}, mainnet: {} }
    const two = file('two-networks.json', { explorerNetwork: 'base', networks })
    expect(withWaivers(target({ targetFile: two })).notApplicable).toEqual({})
    const one = withWaivers(target({ stackFile, env }))
    expect(Object.keys(one.notApplicable)).toEqual(['second-network'])
    const named = target({ env, explorerUrl: 'https://named.example/v1' })
    expect(named.explorerUrl).toBe('https://named.example')
    expect(() => target({ explorerUrl: 'explorer' })).toThrow(CannotRun)
    const wrong = file('wrong-explorer.json', { networks: { rinkeby: {} } })
    expect(() => target({ targetFile: wrong })).toThrow('networks')
  })

  test('with an unknown member is rejected by name', () => {
    const targetFile = file('wrong.json', { apiKeys: { read: 'x' } })
    expect(() => target({ targetFile })).toThrow("'apiKeys'")
    expect(() => target({ targetFile: file('bad.json', '{') })).toThrow('is not valid YAML')
    expect(() => target({ targetFile: absent })).toThrow('cannot read')
  })

  test('must give a reason for each waiver', () => {
    const targetFile = file('bare.json', { notApplicable: { chain: '' } })
    expect(() => target({ targetFile })).toThrow(CannotRun)
  })
})

describe('capabilities', () => {
  let server: NullServer
  beforeAll(async () => {
    server = await startNullServer('constant-200')
  })
  afterAll(() => server.close())

  const needing = (...needs: Check['needs']): Check => ({
    id: 'rpc.x',
    title: 'x',
    clauses: ['4.1-01'],
    level: 'must',
    needs,
    run: async () => undefined,
  })
  const bare = (change = {}) => ({ ...target(), gatewayUrl: server.url, ...change })

  test('missing capabilities have a reason', async () => {
    const checks = [needing('key:read', 'chain', 'operator-control', 'client:cap', 'sender')]
    const { found, missing } = await probeCapabilities(checks, bare(), fetch)
    expect(found).toEqual([])
    const first = (reason: string) => reason.split('; ')[0]!
    expect(Object.fromEntries(Object.entries(missing).map(([n, why]) => [n, first(why)]))).toEqual({
      'key:read': 'set SVC_KEY_READ in the environment',
      chain: 'the target has no RPC URL of its chain',
      'operator-control': 'the target has no control listener',
      'client:cap': "the target has no policy client 'cap'",
      sender: 'the target has no account to sign intents with',
    })
  })

  test('a WebSocket is opened with the read key, and a failure is reported', async () => {
    const checks = [needing('websocket')]
    const { missing } = await probeCapabilities(checks, bare({ keys }), fetch)
    expect(missing.websocket).toMatch(
      /^no WebSocket at ws:.*\/ws \(HTTP 200\); add to .*: updatesUrl: /,
    )
    const keyless = await probeCapabilities(checks, bare(), fetch)
    expect(keyless.missing.websocket).toMatch(/^set SVC_KEY_READ/)
  })

  test('webhooks are received on loopback, or at the address of the target file', async () => {
    const checks = [needing('webhook-receiver')]
    const webhookReceiver = { url: 'https://hooks.example/t/', port: 9000 }
    const remote = { gatewayUrl: 'http://gateway.invalid' }
    const probed = async (change: object) =>
      (await probeCapabilities(checks, bare(change), fetch)).missing['webhook-receiver']
    expect(await probed({})).toBeUndefined()
    expect(await probed(remote)).toContain('add to the target file: webhookReceiver: ')
    expect(await probed({ ...remote, webhookReceiver })).toBeUndefined()
    expect(receiverUrl(bare(), 81)).toBe('http://127.0.0.1:81')
    expect(receiverUrl(bare({ webhookReceiver }), 81)).toBe('https://hooks.example/t')
  })

  test('an explorer is present if it answers, with any status', async () => {
    const checks = [needing('explorer', 'second-network')]
    const probed = async (change: object) =>
      (await probeCapabilities(checks, bare(change), fetch)).missing
    expect((await probed({})).explorer).toContain('set SVC_EXPLORER_URL')
    expect((await probed({}))['second-network']).toContain('no other network')
    expect((await probed({ explorerUrl: 'http://127.0.0.1:1' })).explorer).toContain('no answer')
    expect((await probed({ explorerUrl: server.url })).explorer).toBeUndefined()
  })

  test('a node of another chain does not count', async () => {
    const checks = [needing('chain')]
    const chain = { ...stack.chain!, rpcUrl: server.url }
    const { missing } = await probeCapabilities(checks, bare({ chain }), fetch)
    expect(missing.chain).toBe('the node is on chain NaN')
  })

  test('a waiver that no check needs is an error with the nearest name', async () => {
    const waived = bare({ notApplicable: { 'operators-control': 'a reason for that' } })
    await expect(probeCapabilities([needing('operator-control')], waived, fetch)).rejects.toThrow(
      "notApplicable names 'operators-control'",
    )
  })

  test('an unreachable address cannot be certified', async () => {
    const dead = bare({ gatewayUrl: 'http://127.0.0.1:1' })
    await expect(expectReachable(dead, fetch)).rejects.toThrow(CannotRun)
    await expect(expectReachable(bare(), fetch)).resolves.toBeUndefined()
  })
})

test('every API key and private key of a target is a secret', () => {
  expect(Object.keys(secretsOf(overclaimingTarget('http://x.invalid'))).sort()).toEqual([
    'SVC_ACCOUNT_OWNER',
    'SVC_ACCOUNT_PROVIDER',
    'SVC_ACCOUNT_SENDER',
    'SVC_ACCOUNT_STRANGER',
    'SVC_KEY_ADMIN',
    'SVC_KEY_EXPIRED',
    'SVC_KEY_NONE',
    'SVC_KEY_READ',
    'SVC_KEY_RPC',
    'SVC_KEY_STRANGER',
    'SVC_KEY_WRITE',
  ])
})

test("the API key in a node's URL is a secret, and replaced by a variable in output", () => {
  const bare = overclaimingTarget('http://x.invalid')
  const key = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6'
  const rpcUrl = `https://user:pass-word@node.invalid/v3/${key}?token=${key.toUpperCase()}`
  const target = { ...bare, chain: { ...bare.chain!, rpcUrl } }
  const secrets = Object.values(secretsOf(target))
  expect(secrets).toEqual(expect.arrayContaining(['user', 'pass-word', key, key.toUpperCase()]))
  expect(secrets).not.toContain('v3')
  for (const form of ['yaml', 'json'] as const) {
    const shown = shownTarget(target, form)
    expect(shown).toContain('@node.invalid/v3/${SVC_URL_SECRET')
    expect(shown).not.toContain(key)
    expect(shown).not.toContain('pass-word')
    for (const value of Object.values(target.keys)) expect(shown).not.toContain(value)
  }
})
