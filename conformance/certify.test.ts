import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boastfulTarget, type NullServer, startNullServer } from './lab/nullTargets.ts'

/** The command as a person runs it: a process of its own, its streams, its exit code. */
const command = fileURLToPath(new URL('../impl/cli/svc.mjs', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'certify-'))
const servers: NullServer[] = []
let refusing: string
let unauthorized: string
let silent: string

const start = async (name: Parameters<typeof startNullServer>[0]) => {
  const server = await startNullServer(name)
  servers.push(server)
  return server.url
}

beforeAll(async () => {
  refusing = await start('reject-everything')
  unauthorized = await start('401-everything')
  silent = await start('empty')
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  rmSync(directory, { recursive: true })
})

const key = 'a-key-that-must-not-be-seen'

const certify = (...options: string[]) =>
  new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const { PATH, HOME } = process.env
    const child = spawn(process.execPath, [command, 'certify', ...options], {
      cwd: directory,
      env: { PATH, HOME, SVC_KEY_READ: key },
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })

const described = () => {
  const { chain, accounts, clients } = boastfulTarget(refusing)
  const path = join(directory, 'target.json')
  writeFileSync(path, JSON.stringify({ chain, accounts, clients }))
  return path
}

describe.sequential('svc certify', () => {
  test('a gateway that refuses everything: exit 1, seed first, a curl line, no key anywhere', async () => {
    const run = await certify(
      '--target',
      refusing,
      '--target-file',
      described(),
      '--grep',
      'rpc.id.echo',
      '--report-dir',
      join(directory, 'out'),
    )
    expect(run.code).toBe(1)
    expect(run.stdout.split('\n')[0]).toMatch(/^seed 0x[0-9a-f]{8}$/)
    expect(run.stdout).toContain('authorization: Bearer $SVC_KEY_READ')
    expect(run.stdout).toMatch(/FAILED 4 must \| 0 untestable \| 0 passed \| provable max 4 of 4/)
    expect(run.stderr).toContain('x 4.1 rpc.id.echo.uuid')
    const written = readdirSync(join(directory, 'out'))
    expect(written.sort()).toEqual(['events.ndjson', 'junit.xml', 'report.json'])
    const everything = [
      run.stdout,
      run.stderr,
      ...written.map((name) => readFileSync(join(directory, 'out', name), 'utf8')),
    ]
    for (const text of everything) expect(text).not.toContain(key)
  }, 180_000)

  test('the same seed gives the same run', async () => {
    const observed = async () => {
      const checks = ['--grep', 'rpc.id.echo', '--grep', 'rpc.any-params']
      const run = await certify('--target', unauthorized, '--seed', '42', ...checks)
      const text = run.stdout.replaceAll(/\d+\.\d\ds|report .+\.json|"id":"[^"]+"/g, '')
      return { code: run.code, text }
    }
    const first = await observed()
    expect(first.text).toContain('seed 0x0000002a')
    // 401 for everything is inconclusive: the run says more of the key than of the gateway.
    expect(first.code).toBe(3)
    expect(first.text).toContain('100 % of the answers were 401 or 403: check the keys')
    expect(await observed()).toEqual(first)
  }, 240_000)

  test('nothing testable is inconclusive, with the reason', async () => {
    const run = await certify('--target', silent, '--grep', 'rpc.createTask.allow')
    expect(run.code).toBe(3)
    expect(run.stdout).toContain('untestable')
  }, 180_000)

  test('what cannot run is exit 2: address, filter, flag', async () => {
    const runs = await Promise.all([
      certify('--target', 'http://127.0.0.1:1'),
      certify('--target', refusing, '--grep', 'rpc.createTsk'),
      certify('--tarket', refusing),
    ])
    expect(runs.map(({ code }) => code)).toEqual([2, 2, 2])
    expect(runs[1]!.stderr).toContain("Did you mean 'rpc.")
  }, 180_000)
})
