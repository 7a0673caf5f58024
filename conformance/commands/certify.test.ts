import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type NullServer,
  overclaimingTarget,
  startNullServer,
} from 'polgate-self-test/nullTargets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CertifyOptions, certify } from './certify.ts'

const command = fileURLToPath(new URL('../../impl/cli/polgate.mjs', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'certify-'))
const servers: NullServer[] = []
let refusing: string
let unauthorized: string

async function start(name: Parameters<typeof startNullServer>[0]) {
  const server = await startNullServer(name)
  servers.push(server)
  return server.url
}

beforeAll(async () => {
  refusing = await start('reject-everything')
  unauthorized = await start('401-everything')
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  rmSync(directory, { recursive: true })
})

const key = 'a-key-that-must-not-be-seen'

/** The command as a user runs it: in a separate process with its own streams. */
const spawned = (...options: string[]) =>
  new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const { PATH, HOME } = process.env
    const child = spawn(process.execPath, [command, ...options], {
      cwd: directory,
      env: { PATH, HOME, SVC_KEY_READ: key, SENDER: privateKey },
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })

/** The same function in this process. */
async function called(options: CertifyOptions, signal = new AbortController().signal) {
  const text = { stdout: '', stderr: '' }
  const into = (name: keyof typeof text) => ({
    write: (written: string) => {
      text[name] += written
    },
  })
  const code = await certify(options, {
    stdout: into('stdout'),
    stderr: into('stderr'),
    env: { SVC_KEY_READ: key },
    signal,
    cwd: directory,
    local: () => import('polgate-self-test/local/localTarget.ts'),
  })
  return { code, ...text }
}

const privateKey = `0x${'4'.repeat(64)}`

function described() {
  const { chain, clients } = overclaimingTarget(refusing)
  const path = join(directory, 'target.json')
  const sender = { address: `0x${'4'.repeat(40)}`, privateKey: `\${SENDER}` }
  writeFileSync(path, JSON.stringify({ chain, accounts: { sender }, clients }))
  return path
}

describe.sequential('polgate certify and polgate run', () => {
  test('a gateway that refuses everything: exit 1, seed first, a curl line, no key anywhere', async () => {
    const out = join(directory, 'out')
    const from = ['--target-file', described(), '--grep', 'rpc.id.echo']
    const run = await spawned('run', refusing, ...from, '--report-dir', out)
    expect(run.code).toBe(1)
    expect(run.stdout.split('\n')[0]).toMatch(/^seed 0x[0-9a-f]{8}$/)
    expect(run.stdout).toContain('authorization: Bearer $SVC_KEY_READ')
    expect(run.stdout).toMatch(/FAILED 4 must \| 0 untestable \| 0 passed \| provable max 4 of 4/)
    expect(run.stderr).toContain('x 4.1 rpc.id.echo.uuid')
    const written = readdirSync(out)
    expect(written).toEqual(expect.arrayContaining(['events.ndjson', 'junit.xml', 'report.json']))
    const everything = [
      run.stdout,
      run.stderr,
      ...written.map((name) => readFileSync(join(out, name), 'utf8')),
    ]
    for (const text of everything) expect(text).not.toContain(key)
  }, 180_000)

  test('failed checks can be run again with their seed; --json prints only JSON', async () => {
    const run = await called({
      target: unauthorized,
      onlyFailed: join(directory, 'out'),
      json: true,
      exclude: ['uuid'],
    })
    const report = JSON.parse(run.stdout)
    const first = JSON.parse(readFileSync(join(directory, 'out/report.json'), 'utf8'))
    expect(report.seed).toBe(first.seed)
    expect(run.stderr.split('\n')[0]).toBe(`seed ${first.seed}`)
    expect(report.checks).toHaveLength(3)
    // 401 for everything is inconclusive: the keys are probably wrong.
    expect(run.code).toBe(3)
    expect(report.summary.reason).toContain('100 % of the answers were 401 or 403: check the keys')
  }, 180_000)

  test('nothing testable is inconclusive, with the reason; --quiet prints only the verdict', async () => {
    const run = await called({ target: refusing, grep: ['rpc.createTask.allow$'], quiet: true })
    expect(run.code).toBe(3)
    expect(run.stderr).toBe('')
    const [seed, footer, verdict, ...rest] = run.stdout.split('\n')
    expect(seed).toMatch(/^seed /)
    expect(footer).toContain('1 untestable')
    expect(verdict).toContain('INCONCLUSIVE')
    expect(rest).toEqual([''])
  }, 180_000)

  test('an interrupt leaves a report marked as incomplete, and exit 130', async () => {
    const interrupt = new AbortController()
    const out = join(directory, 'cut')
    const running = called(
      { target: unauthorized, grep: ['rpc.id.echo'], reportDir: out },
      interrupt.signal,
    )
    await expect.poll(() => existsSync(join(out, 'events.ndjson'))).toBe(true)
    interrupt.abort()
    const run = await running
    expect(run.code).toBe(130)
    expect(run.stdout).toContain('INCOMPLETE')
    expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')).complete).toBe(false)
  }, 180_000)

  test('bail stops all threads, and the reports say so', async () => {
    const out = join(directory, 'bailed')
    const run = await spawned(
      ...['run', refusing, '--target-file', described(), '--grep', 'rpc.id.echo'],
      ...['--bail', '1', '--workers', '2', '--concurrency', '1', '--report-dir', out],
    )
    expect(run.code).toBe(1)
    const said = /required checks? failed; stopped by --bail 1, [1-3] checks? did not run/
    expect(run.stdout).toMatch(said)
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain('stopped by --bail 1')
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))
    expect([report.bail, report.complete]).toEqual([1, true])
    expect(report.summary.reason).toMatch(said)
    expect(report.unreported.length).toBeGreaterThan(0)
  }, 180_000)

  test('polgate doctor and polgate list take the target and the filters of polgate run', async () => {
    const doctor = await spawned('doctor', 'http://127.0.0.1:1')
    expect([doctor.code, doctor.stderr]).toEqual([
      2,
      expect.stringContaining('no answer from http://127.0.0.1:1/rpc'),
    ])
    const both = await spawned('doctor', 'http://127.0.0.1:1', '--target', 'local')
    expect([both.code, both.stderr]).toEqual([
      2,
      expect.stringContaining('two different targets are given'),
    ])
    const lines = async (...filters: string[]) => {
      const { stdout } = await spawned('list', '--clause', '4.9', ...filters)
      return stdout.split('\n').filter((line) => line.startsWith('4.9'))
    }
    const [all, some] = [await lines(), await lines('--exclude-tag', 'negative')]
    expect(some.length).toBeGreaterThan(0)
    expect(some).toEqual(all.filter((line) => !/{[^}]*\bnegative\b/.test(line)))
  }, 180_000)

  test('a run of one check sends nothing that only other checks need', async () => {
    const methods: string[] = []
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const { method, id = null } = JSON.parse(body)
      methods.push(method ?? 'a probe of the address')
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { public_key: 'ab'.repeat(32) } }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as AddressInfo
      const grep = ['^rpc.id.echo.uuid$']
      const { code } = await called({ target: `http://127.0.0.1:${port}`, grep })
      expect(code).toBe(0)
      const ofCheck = ['svc_getSecretsPublicKey', 'svc_noSuchMethod']
      expect([...new Set(methods)]).toEqual(['a probe of the address', ...ofCheck])
    } finally {
      server.close()
    }
  }, 180_000)

  test('a plan lists the checks and which of them write, and sends no requests', async () => {
    const plan = await called({ target: 'http://127.0.0.1:1', dryRun: true, clause: ['4.9'] })
    expect(plan.code).toBe(0)
    expect(plan.stdout).toMatch(/^seed /)
    expect(plan.stdout).toMatch(/rpc\.registerWebhook\.\S+ {2}\(writes: .*registers webhooks/)
    expect(plan.stdout).toContain('no requests were sent')
  })

  test('a file given alone is the target; its settings are shown without secrets', async () => {
    const path = join(directory, 'whole.json')
    const known = JSON.parse(readFileSync(described(), 'utf8')) as object
    writeFileSync(path, JSON.stringify({ gatewayUrl: refusing, ...known }))
    const { code, stdout, stderr } = await spawned('run', '--target-file', path, '--print-config')
    expect(code, stderr).toBe(0)
    expect(stdout).toContain(`gatewayUrl: ${refusing}`)
    expect(stdout).toMatch(/read: \$\{SVC_KEY_READ\}/)
    for (const text of [stdout, stderr]) {
      expect(text).not.toContain(key)
      expect(text).not.toContain(privateKey)
    }
  })

  test('what cannot run is exit 2, with a hint', async () => {
    const target = refusing
    const wrong: readonly (readonly [CertifyOptions, string])[] = [
      [{ target: 'http://127.0.0.1:1' }, 'no answer from http://127.0.0.1:1/rpc'],
      [{ target: 'http://127.0.0.1:1' }, 'reserved for another protocol (bad port)'],
      [{ target: 'http://127.0.0.1:1' }, 'Serve it on another port'],
      [{ target: 'http://127.0.0.1:1', waitReady: '300ms' }, 'no answer from'],
      [{ target, grep: ['rpc.createTsk'] }, "Did you mean 'rpc."],
      [{ target, tag: ['webook'] }, "Did you mean 'webhook'?"],
      [{ target, level: ['musst'] }, "Did you mean 'must'?"],
      [{ target, shard: '3/2' }, 'Use 1/2 and 2/2.'],
      [{ target, timeout: 'soon' }, 'Use 30s, 500ms or 2m.'],
      [{ target, workers: 'many' }, 'or auto'],
      [{ target, report: ['jnit'] }, "Did you mean 'junit'?"],
      [{ target, seed: 'five' }, 'not a 32-bit number'],
      [{ target, onlyFailed: join(directory, 'nowhere') }, 'there is no event log'],
    ]
    for (const [options, said] of wrong) {
      const { code, stderr } = await called(options)
      expect([code, stderr]).toEqual([2, expect.stringContaining(said)])
    }
    const { code } = await spawned('certify', '--tarket', refusing)
    expect(code).toBe(2)
  }, 180_000)
})
