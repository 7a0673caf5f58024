import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devPrivateKeys } from 'polgate-chain/accounts.ts'
import { wireBrand } from 'polgate-protocol/brand.ts'
import { localTarget } from 'polgate-self-test/local/localTarget.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { certify } from '../commands/certify.ts'
import { doctor } from '../commands/doctor.ts'
import { init } from '../commands/init.ts'
import type { RunEvent } from '../core/events.ts'
import { prepareTarget } from './prepare.ts'
import { type ReverseProxy, startReverseProxy } from './reverseProxy.fixture.ts'
import type { PreparedTarget } from './target.ts'

/** A gateway of another brand behind a reverse proxy, described only by a target file. */
const directory = mkdtempSync(join(tmpdir(), 'proof-'))
let stack: PreparedTarget
let proxy: ReverseProxy
let env: Record<string, string>
beforeAll(async () => {
  stack = await localTarget({ config: (config) => ({ ...config, brand: wireBrand('acme') }) })
  proxy = await startReverseProxy(stack.target.gatewayUrl)
  env = Object.fromEntries(
    Object.entries(stack.target.keys).map(([name, key]) => [`ACME_${name.toUpperCase()}`, key]),
  )
})
afterAll(async () => {
  await proxy.close()
  await stack.close()
  rmSync(directory, { recursive: true })
})

/** One check per capability that is removed: webhooks, the chain, the second key. */
const asked = {
  plain: 'rpc.id.echo.uuid',
  webhook: 'webhook.delivery',
  chain: 'chain.attestation.digest',
  stranger: 'rpc.simulatePolicy.owner.stranger',
}

function described() {
  const { explorerUrl, chain, accounts, clients, operators, fixtureHostUrl, brand } = stack.target
  const keys = ['read', 'write', 'rpc', 'none', 'expired', 'stranger']
  return {
    name: 'acme behind a proxy',
    gatewayUrl: proxy.url,
    explorerUrl,
    brand,
    keys: Object.fromEntries(keys.map((name) => [name, `\${ACME_${name.toUpperCase()}}`])),
    chain: { ...chain },
    accounts,
    operators,
    clients,
    fixtureHostUrl,
  }
}

function world() {
  const out: string[] = []
  const sink = { write: (text: string) => void out.push(text) }
  return {
    stdout: sink,
    stderr: sink,
    env,
    signal: new AbortController().signal,
    cwd: directory,
    local: () => import('polgate-self-test/local/localTarget.ts'),
    out,
  }
}

async function run(name: string, file: object, change: object = {}) {
  const path = join(directory, `${name}.yaml`)
  writeFileSync(path, stringify(file))
  const reportDir = join(directory, name)
  const grep = Object.values(asked).map((id) => `^${id.replaceAll('.', '\\.')}$`)
  const its = world()
  const code = await certify(
    { target: path, grep, reportDir, seed: '7', workers: '1', ...change },
    its,
  )
  expect(existsSync(join(reportDir, 'events.ndjson')), its.out.join('')).toBe(true)
  const text = readFileSync(join(reportDir, 'events.ndjson'), 'utf8')
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEvent)
  const verdicts = Object.fromEntries(
    events.flatMap((event) =>
      event.type === 'check-finished' ? [[event.id, [event.verdict, event.reason] as const]] : [],
    ),
  )
  return { code, verdicts, text, printed: its.out.join('') }
}

describe.sequential('a gateway of another brand behind a proxy', () => {
  test('is certified with a target file alone', async () => {
    const { code, verdicts, text, printed } = await run('whole', {
      ...described(),
      profiles: ['base', 'tasks', 'webhooks', 'simulation', 'secrets', 'explorer', 'attestation'],
    })
    expect(verdicts).toEqual(
      Object.fromEntries(Object.values(asked).map((id) => [id, ['passed', undefined]])),
    )
    expect(code).toBe(0)
    expect(proxy.passed()).toBeGreaterThan(5)
    for (const key of Object.values(env)) {
      expect(text).not.toContain(key)
      expect(printed).not.toContain(key)
    }
    expect(text).toContain('acme_createTask')
  })

  const { keys: _, ...rest } = { keys: 0 }
  test.each([
    [
      'webhooks',
      asked.webhook,
      /webhook-receiver/,
      () => ({ ...described(), webhookReceiver: false }),
    ],
    [
      'chain',
      asked.chain,
      /has no RPC URL of its chain/,
      () => ({ ...described(), chain: undefined }),
    ],
    [
      'second key',
      asked.stranger,
      /key:stranger: set SVC_KEY_STRANGER/,
      () => {
        const { stranger: __, ...keys } = described().keys
        return { ...described(), keys, ...rest }
      },
    ],
  ])('without its %s something is untestable, and never passes', async (name, id, why, file) => {
    const { code, verdicts, printed } = await run(name.replace(' ', '-'), file())
    expect(verdicts[id]?.[0]).toBe('untestable')
    expect(verdicts[id]?.[1]).toMatch(why)
    expect(verdicts[asked.plain]?.[0]).not.toBe('failed')
    expect(code).toBe(3)
    const untestable = Object.values(verdicts).filter(([verdict]) => verdict === 'untestable')
    expect(printed).toContain(`provable max ${4 - untestable.length} of 4`)
  })

  test('a waiver that takes a claimed profile away is an error at the start', async () => {
    const path = join(directory, 'waived.yaml')
    const notApplicable = { 'webhook-receiver': 'the gateway cannot reach the suite' }
    writeFileSync(path, stringify({ ...described(), notApplicable }))
    const its = world()
    expect(await certify({ target: path, reportDir: join(directory, 'waived') }, its)).toBe(2)
    expect(its.out.join('')).toMatch(
      /notApplicable waives webhook-receiver, without which the profile webhooks cannot hold.*clause \S+\n.*Remove the waiver, or claim other profiles in the target file: profiles: \[base, tasks, updates, simulation, /,
    )
    expect(existsSync(join(directory, 'waived'))).toBe(false)
  })
})

test('a funded key deploys the policy clients once, within its budget', async () => {
  const { clients: _, accounts: __, ...known } = described()
  const policyFactory = Object.values(stack.target.networks ?? {})[0]?.policyFactory
  const file = (deployerBudget: string) => ({
    ...known,
    chain: { ...known.chain, policyFactory, deployer: devPrivateKeys[0], deployerBudget },
  })
  const path = join(directory, 'deployed.yaml')
  const prepare = async (budget: string, fixtureClients?: ReadonlySet<string>) => {
    writeFileSync(path, stringify(file(budget)))
    const notes: string[] = []
    const prepared = await prepareTarget(
      { target: path, fixtureClients },
      { cwd: directory, env, local: () => import('polgate-self-test/local/localTarget.ts') },
      (text) => {
        notes.push(text)
      },
    )
    await prepared.close()
    return {
      clients: prepared.target.clients,
      last: notes.findLast((text) => text.includes('policy clients')),
    }
  }
  await expect(prepare('0.000001')).rejects.toThrow('of the 0.000001 allowed')
  // A run deploys the clients that its checks need, and a later one keeps them.
  const some = await prepare('0.5', new Set(['cap']))
  expect(Object.keys(some.clients)).toEqual(['cap'])
  const first = await prepare('0.5')
  expect(first.clients.cap).toEqual(some.clients.cap)
  expect(Object.keys(first.clients)).toHaveLength(Object.keys(stack.target.clients).length)
  expect(first.last).toMatch(
    /policy clients of 0x\w+: \d+ transactions now, \d+ in all, for 0\.\d+ /,
  )
  const again = await prepare('0.5')
  expect(again.last).toMatch(/already deployed/)
  expect(again.clients).toEqual(first.clients)
  const one = await prepare('0.5', new Set(['cap']))
  expect([Object.keys(one.clients), one.last]).toEqual([['cap'], expect.stringMatching(/already/)])
  expect((await prepare('0.5')).last).toMatch(/already deployed/)
})

test('polgate init writes a file that polgate doctor accepts', async () => {
  const its = { ...world(), env: { SVC_KEY_READ: stack.target.keys.read! } }
  expect(await init({ url: proxy.url }, its)).toBe(0)
  const text = readFileSync(join(directory, 'svc-target.yaml'), 'utf8')
  expect(text).toContain('methodPrefix: acme_')
  expect(text).toContain(`updatesUrl: ${proxy.url.replace('http', 'ws')}/ws`)
  expect(text).not.toContain(its.env.SVC_KEY_READ)
  await expect(init({ url: proxy.url }, its)).rejects.toThrow('already exists')

  expect(await doctor({ json: true }, its)).toBe(1)
  const diagnosis = JSON.parse(its.out.join('').slice(its.out.join('').indexOf('\n{'))) as {
    readonly examined: { room: string; name: string; state: string }[]
    readonly lost: { need: string; checks: number }[]
    readonly provable: number
    readonly checks: number
  }
  const state = (room: string, name: string) =>
    diagnosis.examined.find((each) => each.room === room && each.name === name)?.state
  expect(state('keys', 'read')).toBe('ok')
  expect(state('keys', 'write')).toBe('missing')
  expect(state('chain', 'node')).toBe('missing')
  expect(state('surfaces', 'WebSocket')).toBe('ok')
  expect(diagnosis.lost.find(({ need }) => need === 'chain')?.checks).toBeGreaterThan(50)
  expect(diagnosis.provable).toBeLessThan(diagnosis.checks)
})

test('polgate doctor reports a key with another permission, and a wrong chain', async () => {
  const path = join(directory, 'wrong.yaml')
  const file = described()
  const keys = { ...file.keys, write: file.keys.read }
  writeFileSync(path, stringify({ ...file, keys, chain: { ...file.chain, chainId: 5 } }))
  const its = world()
  expect(await doctor({ target: path }, its)).toBe(1)
  const printed = its.out.join('')
  expect(printed).toContain('reads taken, writes HTTP 403; expected HTTP 403 and taken')
  expect(printed).toContain('it is on chain 31337, but the target file says 5')
  expect(printed).toMatch(/provable maximum \d+ of \d+ checks/)
  for (const key of Object.values(env)) expect(printed).not.toContain(key)
})
