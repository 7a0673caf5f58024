import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stackDescription } from 'polgate-conformance/targets/stackDescription.fixture.ts'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { type LocalStack, startLocalStack } from 'polgate-local/localStack.ts'
import { writeStackFile } from 'polgate-local/stackFile.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metricSamples } from './status/metricSamples.ts'
import { runProcess } from './testing/runProcess.ts'

const cleanup = createCleanupStack()
let directory: string
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'status-')))
  mkdirSync(join(directory, 'a/b'), { recursive: true })
  mkdirSync(join(directory, 'elsewhere/.git'), { recursive: true })
  cleanup.defer(() => rmSync(directory, { recursive: true, force: true }))
})
afterAll(cleanup.close)

const status = (cwd: string, ...args: readonly string[]) =>
  runProcess(['status', ...args], {
    cwd: join(directory, cwd),
    env: { SVC_ADMIN_URL: undefined, XDG_STATE_HOME: join(directory, 'state') },
  })

describe('polgate status of a running stack', () => {
  let stack: LocalStack
  beforeAll(async () => {
    stack = await startLocalStack()
    cleanup.defer(() => stack.close())
    await writeStackFile(stack.description, join(directory, '.svc/stack.json'))
  }, 240_000)

  test('finds it from a folder below, and shows every part in 60 columns', async () => {
    const { code, stdout, stderr } = await runProcess(['status'], {
      cwd: join(directory, 'a/b'),
      env: { COLUMNS: '60' },
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { gatewayUrl, adminUrl, explorerUrl, chain, apiKeys } = stack.description
    for (const text of [gatewayUrl, adminUrl, explorerUrl, chain.rpcUrl, apiKeys.rpc])
      expect(stdout).toContain(text)
    for (const part of [
      'gateway',
      'explorer',
      'chain',
      'operators',
      'database',
      'posting',
      'oracles',
    ])
      expect(stdout).toMatch(new RegExp(`^\\+ ${part} `, 'm'))
    expect(stdout).toContain('4 of 4 answer')
    expect(stdout).toContain('0 results waiting')
    expect(stdout).toContain('answers, in memory')
    expect(stdout).toMatch(/\nready\n$/)
    expect(
      stdout.split('\n').filter((line) => line.length > 60 && /\S\s+\S/.test(line.trim())),
    ).toEqual([])
  })

  test('prints JSON, and no key or account', async () => {
    const { code, stdout } = await status(
      'elsewhere',
      '--admin',
      stack.description.adminUrl!,
      '--json',
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      adminUrl: stack.description.adminUrl,
      ready: true,
      degraded: false,
      unmet: [],
      problems: [],
      gateway: { alive: true, callsInFlight: 0 },
      chains: [{ id: '31337', nodeAnswers: true }],
      operators: { configured: 4, answering: 4 },
      databaseAnswers: true,
      durability: 'memory',
      posting: { waiting: 0, degraded: false },
      oracles: { components: expect.any(Number), bytes: expect.any(Number) },
    })
    const { apiKeys, accounts } = stack.description
    for (const secret of [...Object.values(apiKeys), accounts.owner.privateKey])
      expect(stdout).not.toContain(secret)
  })

  test('a description of a stack elsewhere is a target', async () => {
    const { code } = await status('elsewhere', '../.svc/stack.json')
    expect(code).toBe(0)
  })

  test('the only stack that runs is found from any folder, and --target is as the argument', async () => {
    const entry = join(directory, 'state/polgate/stacks')
    mkdirSync(entry, { recursive: true })
    writeFileSync(join(entry, String(process.pid)), `${join(directory, '.svc/stack.json')}\n`)
    const { code, stdout } = await status('elsewhere')
    rmSync(entry, { recursive: true })
    expect([code, stdout]).toEqual([0, expect.stringContaining(stack.description.gatewayUrl)])
    expect(await status('elsewhere', '--target', '../.svc/stack.json')).toMatchObject({ code: 0 })
  })

  test('an operator that is stopped is degraded: exit code 1', async () => {
    const [first, , , last] = stack.operators
    last!.stop()
    try {
      const { code, stdout } = await status('a', '--json')
      expect(code).toBe(1)
      expect(JSON.parse(stdout)).toMatchObject({
        ready: true,
        degraded: true,
        operators: { configured: 4, answering: 3 },
      })
      const text = await status('a')
      expect(text.code).toBe(1)
      expect(text.stdout).toMatch(/^x operators {2}3 of 4 answer$/m)
      expect(text.stdout).toMatch(/\nready, but degraded\n$/)
      // Of a stake without which there is no quorum.
      first!.stop()
      await expect
        .poll(async () => JSON.parse((await status('a', '--json')).stdout), { timeout: 30_000 })
        .toMatchObject({
          ready: false,
          unmet: [{ need: 'operators', reason: expect.stringContaining('default quorum') }],
        })
    } finally {
      await Promise.all([first!.start(), last!.start()])
    }
  })

  test('a chain that does not answer: not ready, with the time since when', async () => {
    await stack.chain.stop()
    await expect
      .poll(async () => (await status('a')).stdout, { timeout: 60_000, interval: 1_000 })
      // Not because of the operators of the test before.
      .toMatch(/^x chain {6}31337: its node does not answer$[\s\S]*\nnot ready\n$/m)
    const { code, stdout } = await status('a')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^! .*since \d{4}-\d\d-\d\dT/m)
    const json = await status('a', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      ready: false,
      unmet: [{ need: 'chain', reason: expect.stringContaining('chain 31337: ') }],
    })
  }, 120_000)
})

describe('polgate status without a service', () => {
  test.each([
    { args: [], says: 'no local stack is running' },
    { args: ['--admin', 'http://127.0.0.1:1'], says: 'no answer from http://127.0.0.1:1/readyz' },
    { args: ['--admin', 'http://127.0.0.1:1'], says: 'Serve it on another port' },
    { args: ['nosuch.json'], says: 'nosuch.json does not exist' },
    { args: ['broken.json'], says: 'broken.json is not the description of a stack' },
    { args: ['old.json'], says: 'old.json names no admin listener' },
    { args: ['x', '--admin', 'http://a'], says: 'both a target and --admin' },
  ])(
    '$args: exit code 2, and the reason',
    async ({ args, says }) => {
      writeFileSync(join(directory, 'elsewhere/broken.json'), '{}')
      const { adminUrl: _, ...old } = stackDescription
      writeFileSync(join(directory, 'elsewhere/old.json'), JSON.stringify(old))
      const { code, stdout, stderr } = await status('elsewhere', ...args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(says)
      expect(stderr).not.toMatch(/\n\s+at /)
    },
    60_000,
  )

  test.each([
    ['/metrics', /^! the state of the parts is unknown: GET \/metrics returned HTTP 500$/m],
    ['/healthz', /^x gateway {4}not alive/m],
  ])(
    'a listener whose %s fails is degraded: exit code 1',
    async (failing, says) => {
      const server = createServer(({ url }, response) => {
        response.statusCode = url === failing ? 500 : 200
        response.end(url === '/readyz' ? 'ready\n' : '')
      })
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      cleanup.defer(() => server.close())
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const { code, stdout } = await status('elsewhere', '--admin', url)
      expect(code).toBe(1)
      expect(stdout).toMatch(says)
      expect(stdout).toMatch(/\nready, but degraded\n$/)
    },
    60_000,
  )

  test.each([
    { late: 2, code: 0, ends: /\nready\n$/ },
    { late: 100, code: 1, ends: /\n! store: no answer within 900 ms\n\nnot ready\n$/ },
  ])(
    'a check that is late $late times: exit code $code',
    async ({ late, code, ends }) => {
      let asked = 0
      const server = createServer(({ url }, response) => {
        const isLate = url === '/readyz' && asked++ < late
        response.statusCode = isLate ? 503 : 200
        if (url === '/readyz')
          response.end(isLate ? 'not ready\nstore: no answer within 900 ms\n' : 'ready\n')
        else response.end()
      })
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      cleanup.defer(() => server.close())
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const result = await status('elsewhere', '--admin', url)
      expect(result).toMatchObject({ code, stdout: expect.stringMatching(ends) })
    },
    60_000,
  )

  test('a server that is no admin listener is named as such', async () => {
    const server = createServer((_, response) => response.end('hello'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    cleanup.defer(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, stderr } = await status('elsewhere', '--admin', url)
    expect(code).toBe(2)
    expect(stderr).toContain(`${url} is not an admin listener`)
  })
})

test('samples of the text format are read, and nothing else', () => {
  const text =
    '# HELP a help\n# TYPE a gauge\na 1\nb{x="1",y="a\\"b"} 2.5\nc{} +Inf 1700000000\nnot a sample\nd NaN\n'
  expect(metricSamples(text)).toEqual([
    { name: 'a', labels: {}, value: 1 },
    { name: 'b', labels: { x: '1', y: 'a\\"b' }, value: 2.5 },
  ])
})
