import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { clientSecrets } from 'polgate-fixtures/describeClient.ts'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { type LocalTarget, localTarget } from 'polgate-self-test/local/localTarget.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeFixtureSecrets } from '../targets/storeSecrets.ts'
import { type CertifyOptions, certify } from './certify.ts'
import { replay } from './replay.ts'
import { lastRunIn } from './runRecords.ts'

/** A stack that others have used before a run, and use between runs. */
const cleanup = createCleanupStack()
const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const cwd = mkdtempSync(join(tmpdir(), 'svc-shared-'))
let stack: LocalTarget

beforeAll(async () => {
  cleanup.defer(() => rmSync(cwd, { recursive: true, force: true }))
  stack = await localTarget()
  cleanup.defer(stack.close)
  mkdirSync(join(cwd, '.svc'))
  writeFileSync(join(cwd, '.svc/stack.json'), JSON.stringify(stack.description))
})
afterAll(cleanup.close)

function world(env: Readonly<Record<string, string>> = {}) {
  let text = ''
  const stream = { write: (more: string) => (text += more) }
  const { signal } = new AbortController()
  return { io: { stdout: stream, stderr: stream, env, signal, cwd }, printed: () => text }
}

async function run(options: CertifyOptions, env?: Readonly<Record<string, string>>) {
  const { io, printed } = world(env)
  const code = await certify({ target: stack.target.gatewayUrl, ...options }, io)
  return { code, text: printed() }
}

/** Checks of what is stored or registered, or reached only with all operators and the usual limits. */
const grep = [
  '^rpc\\.simulatePolicy\\.(secrets|owner)\\.',
  '^rpc\\.simulateWithClient\\.(none-stored|redeployed)$',
  '^rpc\\.storeEncryptedSecrets\\.',
  '^rpc\\.(un)?registerWebhook\\.(result|observed\\.)',
  '^webhook\\.(unregistered|replaced)$',
  '^rpc\\.secrecy\\.',
  '^rpc\\.createTask\\.(again|cap)$',
]

const control = (path: string, body?: unknown) =>
  fetch(`${stack.target.controlUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

/** What a run leaves that is ended before its checks can restore anything, and a careless script. */
async function leaveChanged(): Promise<void> {
  const { target } = stack
  await control('/operators/1/stop')
  await control('/limits', { perKey: { perSecond: 1, burst: 1 } })
  await control('/world', { mode: 'error' })
  await fetch(`${target.chaosUrl}/links/chain`, {
    method: 'PUT',
    body: JSON.stringify({ trouble: { kind: 'status', status: 503 }, seed: '1' }),
  })
}

test('a run after the example client and a replay passes, in any order and again', async () => {
  await promisify(execFile)(process.execPath, [fileOf('scripts/example/client.mjs')], {
    env: { ...process.env, SVC_STACK_FILE: join(cwd, '.svc/stack.json') },
  })
  const { io, printed } = world()
  const what = [fileOf('fixtures/recorded')]
  expect([await replay({ what, target: stack.target.gatewayUrl }, io), printed()]).toEqual([
    0,
    expect.stringContaining('7 of 7 fixtures passed'),
  ])
  for (const concurrency of [16, 1]) {
    const { code, text } = await run({ grep, concurrency })
    expect([code, text]).toEqual([0, expect.stringContaining('SELECTED CHECKS PASSED')])
  }
}, 300_000)

test('a run restores operators, limits, oracle data, links and secrets that others left changed', async () => {
  const { target } = stack
  const priced = target.clients['priced-transfer']!
  const { policyClient } = target.clients['allow-list']!
  const [own] = clientSecrets({ priced }, { fixture_host: target.fixtureHostUrl! })
  const wrong = { ...own!.secrets, PRICE_API_KEY: 'a key of another feed' }
  await storeFixtureSecrets(
    target,
    [
      { ...own!, secrets: wrong },
      { ...own!, policyClient },
    ],
    () => {},
  )
  await leaveChanged()
  const { code, text } = await run({ grep })
  expect([code, text]).toEqual([0, expect.stringContaining('SELECTED CHECKS PASSED')])
  expect(text).toContain('operators that were stopped before the run: 1')
  expect(text).toContain('rate limits that were changed before the run are restored')
}, 300_000)

test('a key that the gateway rejects is a matter of the checks, not of what a run restores', async () => {
  const only = ['^rpc.simulatePolicy.secrets.missing$']
  const { code, text } = await run({ grep: only }, { SVC_KEY_READ: 'no key of this stack' })
  expect([code, text]).toEqual([3, expect.stringContaining('check the keys')])
  expect(text).toContain('the secrets of the fixtures were not restored')
}, 120_000)

test('a replay of fixtures leaves the record of the last run as it is', async () => {
  const runs = () =>
    readdirSync(join(cwd, '.svc/runs')).map((name) => {
      const record = readFileSync(join(cwd, '.svc/runs', name, 'run.json'), 'utf8')
      return { name, record }
    })
  await run({ grep: ['^rpc.id.echo.uuid$'] })
  const before = { runs: runs(), last: lastRunIn(cwd) }
  const { io } = world()
  const what = [fileOf('fixtures/recorded/keys.fixture')]
  expect(await replay({ what, target: stack.target.gatewayUrl }, io)).toBe(0)
  expect({ runs: runs(), last: lastRunIn(cwd) }).toEqual(before)
}, 120_000)
