import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { GatewayEnvironment } from 'polgate-protocol/environment.ts'
import { expect, test } from 'vitest'
import { CannotRun } from '../core/conformanceError.ts'
import { lastOutput, startCommand } from './command.ts'
import { type Environment, environmentVariables } from './environment.ts'
import { startUnderTest } from './underTest.ts'

const hex = (digit: string, length: number): `0x${string}` => `0x${digit.repeat(length)}`
const secret = hex('5', 64)
const key = 'svc_handed-to-the-gateway'

/** An environment without a real chain: tested is how it is passed to the gateway. */
function bed(): Environment & { readonly closed: () => number } {
  let closed = 0
  const chain = {
    rpcUrl: 'http://127.0.0.1:1',
    chainId: 31337,
    taskManager: hex('1', 40),
    operatorRegistry: hex('2', 40),
    policyFactory: hex('3', 40),
    identityRegistry: hex('4', 40),
    confidentialDataRegistry: hex('6', 40),
  }
  return {
    environment: {
      version: 1,
      brand: defaultBrand,
      chain,
      networks: {},
      contentGatewayUrl: 'http://127.0.0.1:1',
      oracleHosts: ['127.0.0.1:1'],
      account: { address: hex('7', 40), privateKey: secret },
      operators: [{ address: hex('8', 40), id: hex('9', 64), blsKey: secret, stake: '1' }],
      encryptionKeys: { secrets: secret, privacy: secret },
      apiKeys: [{ name: 'read', key, permissions: ['rpc_read'], owners: [] }],
      loopbackWebhooks: true,
      rateLimit: { perSecond: 1000, burst: 1000 },
    },
    apiKeys: { read: key, write: key, rpc: key, none: key, expired: key, stranger: key },
    bed: { chain, networks: {}, accounts: {} as never, operators: [], clients: {} },
    fixtureHostUrl: 'http://127.0.0.1:1',
    secrets: [],
    setOracleData: () => {},
    mine: async () => {},
    close: async () => void closed++,
    closed: () => closed,
  }
}

const start = (its: Environment, script: string, readyWithinSeconds = 60) =>
  startUnderTest({
    name: 'a script',
    bed: its,
    readyWithinSeconds,
    note: () => {},
    start: (environment) =>
      startCommand(
        {
          run: [process.execPath, '-e', script],
          cwd: process.cwd(),
          env: { OWN: 'of the file' },
          world: { ...process.env, SVC_KEY_READ: 'of another target' },
        },
        environment,
      ),
  })

function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a command receives its environment, and its whole process group ends with it', async () => {
  const its = bed()
  const { target, close } = await start(
    its,
    `const { spawn } = require('node:child_process')
     const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
     require('node:http').createServer((_, answer) => {
       answer.end(JSON.stringify({ env: process.env, pids: [process.pid, child.pid] }))
     }).listen(Number(process.env.SVC_ENV_GATEWAY_PORT), process.env.SVC_ENV_GATEWAY_HOST)`,
  )
  const response = await fetch(`${target.gatewayUrl}/rpc`, { method: 'POST', body: '{}' })
  const told = (await response.json()) as { env: Record<string, string>; pids: number[] }
  const file: unknown = JSON.parse(readFileSync(told.env.SVC_ENV_FILE!, 'utf8'))
  const validate = new Ajv({ strict: false }).compile(GatewayEnvironment)
  expect(validate(file), JSON.stringify(validate.errors)).toBe(true)
  const handed = environmentVariables(file as GatewayEnvironment, told.env.SVC_ENV_FILE!)
  expect(told.env).toMatchObject({ ...handed, OWN: 'of the file' })
  expect(told.env.SVC_ENV_CHAIN_TASK_MANAGER).toBe(hex('1', 40))
  // The keys of another target are not inherited.
  expect(told.env.SVC_KEY_READ).toBeUndefined()
  expect(target.explorerUrl).toBeUndefined()
  expect((await fetch(`${target.controlUrl}/world`)).status).toBe(200)
  expect((await fetch(`${target.controlUrl}/operators`)).status).toBe(404)

  await close()
  await expect.poll(() => told.pids.filter(isAlive)).toEqual([])
  expect(its.closed()).toBe(1)
  expect(() => readFileSync(told.env.SVC_ENV_FILE!)).toThrow()
})

test('one that ends too early is an error with its last output, without keys', async () => {
  const its = bed()
  const script = `console.error('cannot use ${key} nor ' + process.env.SVC_ENV_ACCOUNT_KEY); process.exit(3)`
  const failure = await start(its, script).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(CannotRun)
  const { message, hint } = failure as CannotRun
  expect(message).toBe('the gateway exited before it was ready: \n  | cannot use $KEY nor $KEY')
  expect(hint).toContain('CONTRACT.md')
  expect(its.closed()).toBe(1)
})

test('one that never answers times out, and is stopped', async () => {
  const its = bed()
  await expect(start(its, 'setInterval(() => {}, 1000)', 1)).rejects.toThrow('after 1 s')
  expect(its.closed()).toBe(1)
})

test('the last output cannot control a terminal or a workflow, and contains no truncated secret', () => {
  const words = lastOutput()
  words.hear(`${secret}${'x'.repeat(15_990)}\n::error::\u001b[31mred\n##[set-output name=x]y\n`)
  const told = words.told([secret])
  expect(told).not.toContain(secret.slice(-10))
  expect(told).not.toContain('\u001b')
  expect(told).not.toContain('##[')
  for (const line of told.split('\n').slice(1)) expect(line).toMatch(/^ {2}\| /)
})
