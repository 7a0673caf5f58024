import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterAll, expect, test } from 'vitest'
import { checks } from '../checks/catalogue.ts'
import { longestFirst } from '../core/durations.ts'
import { certify } from './certify.ts'

const cleanup = createCleanupStack()
afterAll(cleanup.close)

/**
 * A gateway that answers the calls of the checks `rpc.id.echo` correctly, and kills itself on a request
 * that contains `deadly`. Where `wrong` is part of a request, the id of its answer is wrong.
 */
const gateway = `
const [deadly, wrong] = process.argv.slice(1)
const server = require('node:http').createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  if (body.includes(deadly)) process.kill(process.pid, 'SIGKILL')
  const { method = '', id = null } = JSON.parse(body || '{}')
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({
    jsonrpc: '2.0',
    id: wrong && body.includes(wrong) ? 'another' : id,
    ...(method.endsWith('getSecretsPublicKey')
      ? { result: { public_key: 'ab'.repeat(32) } }
      : { error: { code: -32601, message: 'Method not found' } }),
  }))
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

async function startGateway(deadly: string, wrong = ''): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, ['-e', gateway, deadly, wrong], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanup.defer(() => {
    child.kill('SIGKILL')
  })
  const port = await new Promise<string>((resolve) => {
    child.stdout!.once('data', (chunk) => resolve(String(chunk).trim()))
  })
  return `http://127.0.0.1:${port}`
}

async function certified(target: string) {
  const directory = mkdtempSync(join(tmpdir(), 'svc-outage-'))
  cleanup.defer(() => rmSync(directory, { recursive: true, force: true }))
  const text = { stdout: '', stderr: '' }
  const into = (name: keyof typeof text) => ({
    write: (written: string) => {
      text[name] += written
    },
  })
  const code = await certify(
    // One check at a time, so that the checks before and after the end are known.
    { target, grep: ['rpc.id.echo'], concurrency: 1, reportDir: directory },
    {
      stdout: into('stdout'),
      stderr: into('stderr'),
      env: { SVC_KEY_READ: 'a-key-of-this-test' },
      signal: new AbortController().signal,
      cwd: directory,
    },
  )
  const read = (name: string) => readFileSync(join(directory, name), 'utf8')
  return { code, ...text, read, report: JSON.parse(read('report.json')) }
}

/** What the checks send, in the order in which they run. */
const sent: Readonly<Record<string, string>> = {
  'rpc.id.echo.uuid': '"id":"f81d4fae-',
  'rpc.id.echo.empty': '"id":""',
  'rpc.id.echo.digits': '"id":"12"',
  'rpc.id.echo.unicode': '"id":"ключ-',
}
const order = longestFirst(checks.filter(({ id }) => Object.hasOwn(sent, id))).map(({ id }) => id)
const [first, , third, fourth] = order as [string, string, string, string]

// Each waits for its gateway to come back: together they do so once.
test.concurrent('a gateway that is killed during a run is one headline, and the run is inconclusive', async () => {
  const { code, stdout, stderr, read, report } = await certified(await startGateway(sent[third]!))
  expect(code).toBe(3)
  expect(stdout).toContain('INCONCLUSIVE: the gateway stopped answering: 2 checks have no result')
  expect(stdout.match(/^! the gateway stopped answering/gm)).toHaveLength(1)
  expect(stderr.match(/^! the gateway stopped answering/gm)).toHaveLength(1)
  // Nothing of it is a failure, and no check reports it by itself.
  expect(stdout).toContain('2 passed | 2 untestable | ')
  expect(stdout.match(/ECONNREFUSED/g)).toHaveLength(1)
  expect(report.outages).toMatchObject([
    {
      why: 'the connection was refused (ECONNREFUSED)',
      lastAnswered: { check: order[1], method: 'svc_noSuchMethod', status: 200 },
      pending: [{ check: third, method: 'svc_getSecretsPublicKey' }],
      checks: [third, fourth],
    },
  ])
  expect(stdout).toMatch(
    /^ {2}Answered svc_noSuchMethod, id "[^\n]*", sent after [\d.]+ s, HTTP 200, by /m,
  )
  expect(stdout).toMatch(/^ {2}Pending {2}svc_getSecretsPublicKey, id "[^\n]*", sent after /m)
  for (const file of ['summary.md', 'report.html'])
    expect(read(file)).toMatch(/the gateway stopped answering after [\d.]+ s/)
}, 120_000)

test.concurrent('what was refuted before stays refuted: exit 1, with the outage beside it', async () => {
  const target = await startGateway(sent[third]!, sent[first])
  const { code, stdout } = await certified(target)
  expect(code).toBe(1)
  expect(stdout.match(/^! the gateway stopped answering/gm)).toHaveLength(1)
  expect(stdout).toContain('SELECTED CHECKS FAILED (')
  expect(stdout).toContain(': 1 required check failed; the gateway stopped answering: 2 checks')
}, 120_000)
