import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startFixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { serveControl } from 'polgate-local/control.ts'
import { openTestGateway, type TestGateway } from 'polgate-service/gateway/gateway.fixture.ts'
import { engines } from 'polgate-service/store/engines.fixture.ts'
import { openStore, type Store } from 'polgate-service/store/openStore.ts'
import { openEmptyStore } from 'polgate-service/store/testing/openEmptyStore.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runMain } from './testing/runMain.ts'

/**
 * Commands as a person or a script runs them; those that say the same to anybody, in this process.
 */

const cli = fileURLToPath(new URL('./polgate.mjs', import.meta.url))
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-keys-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))
// Most commands run as separate processes.
vi.setConfig({ testTimeout: 120_000 })

type Ending = { readonly code: number; readonly stdout: string; readonly stderr: string }
const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ending> =>
  new Promise((resolve) => {
    const { SVC_DATABASE_URL: _, DATABASE_URL: __, ...usual } = process.env
    const options = { cwd: directory, env: { ...usual, ...env } }
    execFile(process.execPath, [cli, 'keys', ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })

type Run = typeof run

/** The same in this process. */
const here: Run = async (args, env = {}) => {
  for (const name of ['SVC_DATABASE_URL', 'DATABASE_URL']) vi.stubEnv(name, env[name])
  try {
    return await runMain('keys', ...args)
  } finally {
    vi.unstubAllEnvs()
  }
}

const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/**
 * Makes, lists, rotates and deletes one key; `works` says whether a key is accepted at that moment.
 */
async function lifeOfAKey(
  place: readonly string[],
  env: NodeJS.ProcessEnv,
  works: (key: string) => Promise<boolean>,
  by: Run = run,
): Promise<void> {
  const svc = async (...args: string[]) => {
    const { code, stdout, stderr } = await by([...args, ...place], env)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  const wishes = ['--permission', 'rpc_read,rpc_write', '--owner', owner, '--name', 'a test']
  const made = await svc('create', ...wishes, '--expires', '2999-12-31')
  const [key = '', line = ''] = made.split('\n')
  const id = line.slice(3, 15)
  expect(line).toBe(
    `id ${id}  a test  rpc_read+rpc_write  owners ${owner.toLowerCase()}  expires 2999-12-31T00:00:00.000Z`,
  )
  expect(await works(key)).toBe(true)

  const rotated = JSON.parse(await svc('rotate', id, '--json')) as { id: string; key: string }
  expect(rotated.id).toBe(id)
  expect([await works(key), await works(rotated.key)]).toEqual([false, true])
  const listed = await svc('list', '--json')
  expect(listed).toContain(`"id":"${id}"`)
  expect(listed).not.toContain(rotated.key)

  expect(await svc('delete', id)).toBe(`deleted ${id}\n`)
  expect(await works(rotated.key)).toBe(false)

  const gone = await by(['rotate', id, ...place], env)
  expect(gone).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: No API key has the id ${id}\n       List the keys to see their ids.\n`,
  })
}

describe('polgate keys with a data directory', () => {
  it('manages keys if no service uses it', async () => {
    const dataDir = join(directory, 'data')
    const works = async (key: string) => {
      const store = await openStore({ dataDir })
      const found = await store.apiKeys.lookup(key)
      await store.close()
      return found !== undefined
    }
    await lifeOfAKey(['--data-dir', dataDir], {}, works)
  })

  it('finds the store of a local stack in its subfolder', async () => {
    const dataDir = join(directory, 'stack')
    await mkdir(join(dataDir, 'store'), { recursive: true })
    await run(['create', '--permission', 'rpc', '--data-dir', dataDir])
    expect(await readdir(dataDir)).toEqual(['store'])
    expect(await readdir(join(dataDir, 'store'))).toContain('cluster')
  })

  it('fails while a service uses it', async () => {
    const dataDir = join(directory, 'busy')
    const store = await openStore({ dataDir })
    const { code, stderr } = await run(['list', '--data-dir', dataDir])
    await store.close()
    expect(code).toBe(2)
    expect(stderr).toContain(
      `error: The data directory is in use by process ${process.pid}\n` +
        `       Stop that process or use a directory other than ${dataDir}. If the process is`,
    )
  })

  it('creates nothing in a missing directory', async () => {
    const dataDir = join(directory, 'typo')
    for (const verb of [['list'], ['rotate', 'x'], ['delete', 'x']]) {
      const { code, stderr } = await here([...verb, '--data-dir', dataDir])
      expect(code).toBe(2)
      expect(stderr).toContain(`error: No store found in ${dataDir}\n`)
    }
    expect(await readdir(directory)).not.toContain('typo')
  })
})

describe('polgate keys with a running stack', () => {
  let gateway: TestGateway
  const cleanup = createCleanupStack()
  let control: string
  beforeAll(async () => {
    gateway = await openTestGateway()
    const fixtureHost = await startFixtureHost()
    const { apiKeys } = gateway.store
    const rpcUrl = 'http://127.0.0.1:1'
    const served = await serveControl({ port: 0, operators: [], apiKeys, rpcUrl, fixtureHost })
    control = served.url
    cleanup.defer(
      () => gateway.close(),
      () => fixtureHost.stop(),
      () => served.close(),
    )
  })
  afterAll(cleanup.close)

  it('takes effect on the next request', async () => {
    const works = async (key: string) =>
      (await gateway.call('getSecretsPublicKey', {}, { key })).status === 200
    await lifeOfAKey(['--control', control], {}, works, here)
    expect(gateway.log.join('')).not.toMatch(/key_[\w-]{43}/)
  })

  it.each([
    [
      ['create', '--permission', 'root'],
      'Unknown permission "root"',
      'rpc_read, rpc_write, rpc, admin',
    ],
    [
      ['create', '--permission', 'rpc', '--owner', '0x12'],
      'Owner "0x12" is not an address',
      '40 hex digits',
    ],
    [['delete', '../world'], 'No API key has the id ../world', 'List the keys'],
  ])('reports the error of the stack for %j', async (args, message, hint) => {
    const { code, stdout, stderr } = await here([...args, '--control', control])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`error: ${message}\n       `)
    expect(stderr).toContain(hint)
  })
})

describe.runIf(engines.some(({ name }) => name === 'server'))('polgate keys with a server', () => {
  let store: Store
  let url: string
  beforeAll(async () => {
    const base = engines.find(({ name }) => name === 'server')!.url!
    store = await openEmptyStore(base)
    const [row] = await store.database.query<{ schema: string }>('select current_schema as schema')
    const own = new URL(base)
    own.searchParams.set('options', `-c search_path=${row!.schema}`)
    url = own.href
  })
  afterAll(() => store.close())

  it('takes effect on the next request of a running gateway', async () => {
    const works = async (key: string) => (await store.apiKeys.lookup(key)) !== undefined
    await lifeOfAKey([], { DATABASE_URL: url }, works)
  })
})

describe('polgate keys', () => {
  it.each([
    [['create'], "required option '--permission <list>' not specified"],
    [['create', '--permission', 'rpc', '--expires', 'soon'], 'soon is not an ISO 8601 time'],
    [['create', '--permission', 'rpc', '--expires', '1'], '1 is not an ISO 8601 time'],
    [['create', '--permission', 'rpc', '--expires', '2030-13-01'], '2030-13-01 is not an ISO 8601'],
    [
      ['create', '--permission', 'rpc', '--expires', '2001-01-01'],
      '2001-01-01T00:00:00.000Z is in the past',
    ],
    [
      ['list', '--control', 'http://127.0.0.1:1'],
      'The local stack at http://127.0.0.1:1 is unreachable',
    ],
    [['list', '--control', 'http://127.0.0.1:1', '--data-dir', '.'], 'exclude each other'],
    [['rotate'], "missing required argument 'id'"],
  ])('%j cannot run, and prints an error and a hint', async (args, message) => {
    const { code, stdout, stderr } = await here(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr.split('\n').length).toBeGreaterThan(2)
  })

  it('explains where keys can be, in a directory without a stack', async () => {
    const state = join(directory, 'state-without-stacks')
    const { code, stdout, stderr } = await run(['list'], { XDG_STATE_HOME: state })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('No key store found')
    expect(stderr.split('\n').length).toBeGreaterThan(2)
  })

  it('does not print the connection string of an unreachable database', async () => {
    const url = 'postgres://svc:a-password@127.0.0.1:1/none'
    const { code, stderr } = await run(['list'], { SVC_DATABASE_URL: url })
    expect(code).toBe(2)
    expect(stderr).toContain('The PostgreSQL database 127.0.0.1:1/none cannot be reached')
    expect(stderr).not.toContain('a-password')
  })

  it('has examples with existing commands and options', async () => {
    const { stdout } = await here(['--help'])
    const shown = [...stdout.matchAll(/^ {2}polgate keys (\w+) (.*)$/gm)]
    expect(shown).toHaveLength(5)
    for (const [, verb = '', rest = ''] of shown) {
      const { stdout: help } = await here([verb, '--help'])
      for (const [option] of rest.matchAll(/--[a-z-]+/g)) expect(help).toContain(option)
    }
  })
})
