import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckFinished, Evidence, RunStarted } from 'polgate-conformance/core/events.ts'
import { replayId } from 'polgate-conformance/core/replayId.ts'
import { stackDescription } from 'polgate-conformance/targets/stackDescription.fixture.ts'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { listen } from 'polgate-lib/http/listen.ts'
import { RunInProgress, UnknownRun } from 'polgate-local/conformanceRoutes.ts'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type ConformanceRunsOptions, conformanceRuns } from './conformanceRuns.ts'

/** Stands for `polgate certify`: a process that writes a log and ends, or does not end. */
const suite = `
import { mkdirSync, writeFileSync } from 'node:fs'
const args = process.argv.slice(2)
const directory = args[args.indexOf('--report-dir') + 1]
const { SUITE_LOG = '', SUITE_CODE = '0', SUITE_HANGS, SVC_KEY_READ } = process.env
mkdirSync(directory, { recursive: true })
writeFileSync(directory + '/events.ndjson', SUITE_LOG)
writeFileSync(directory + '/report.html', JSON.stringify({ args, SVC_KEY_READ }))
if (SUITE_CODE === '2') process.stderr.write('the target is empty\\n')
if (SUITE_HANGS) setInterval(() => {}, 1000)
else process.exit(Number(SUITE_CODE))
`

const ofFile = createCleanupStack()
const ofTest = createCleanupStack()
let folder: string
let gatewayUrl: string
const received: { url?: string; headers?: IncomingHttpHeaders; body?: string } = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-runs-'))
  ofFile.defer(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'suite.mjs'), suite)
  const gateway = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    Object.assign(received, { url: request.url, headers: request.headers, body })
    // What is a secret of the target is redacted in what is shown.
    response.end(JSON.stringify({ result: 'now', echo: request.headers.authorization }))
  })
  gatewayUrl = (await listen(gateway)).url
  ofFile.defer(() => gateway.close())
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await ofTest.close()
})
afterAll(ofFile.close)

const seed = '0x5eed42'
const started: RunStarted = {
  ...{ type: 'run-started', version: 2, at: '2026-01-01T00:00:00.000Z', seed, effort: 1 },
  ...{ target: 'local', gatewayUrl: '', suite: 'suite 1', capabilities: [], missing: {} },
  checks: [],
}
const request = (members: object = {}) => ({
  ...{ method: 'POST', url: `${gatewayUrl}/rpc`, headers: { 'content-type': 'application/json' } },
  ...{ body: '{"id":1}', key: 'SVC_KEY_READ' as string | undefined, ...members },
})
const exchange = (members: object = {}): Evidence => ({
  ...{ kind: 'exchange', at: 1, request: request(), status: 200, headers: {} },
  ...{ body: '{"result":"then"}', ms: 3, ...members },
})
const finished = (id: string, members: Partial<CheckFinished> = {}): CheckFinished => ({
  ...{ type: 'check-finished', id, title: `title of ${id}`, section: '4.2', clauses: ['4.2-01'] },
  ...{ level: 'must', verdict: 'passed', ms: 5, exchanges: 1, refusals: 0, at: 0 },
  ...{ evidence: [exchange()], evidenceDropped: 0, ...members },
})

type Suite = {
  readonly log?: readonly object[]
  readonly code?: number
  readonly hangs?: boolean
}

function runsWith(
  { log = [], code = 0, hangs = false }: Suite,
  options: ConformanceRunsOptions = {},
) {
  vi.stubEnv('SUITE_LOG', log.map((event) => `${JSON.stringify(event)}\n`).join(''))
  vi.stubEnv('SUITE_CODE', String(code))
  if (hangs) vi.stubEnv('SUITE_HANGS', '1')
  const runs = conformanceRuns({ script: join(folder, 'suite.mjs'), ...options })
  ofTest.defer(() => runs.close())
  runs.describe({ ...stackDescription, gatewayUrl })
  return runs
}

type Runs = ReturnType<typeof runsWith>

async function ended(runs: Runs, selection = {}) {
  const { id } = await runs.start(selection)
  await expect.poll(async () => (await runs.events(id, 0)).run.state).not.toBe('running')
  return (await runs.events(id, 0)).run
}

it('has the checks of the suite', async () => {
  const { checks } = await runsWith({}).checks()
  expect(checks.length).toBeGreaterThan(1_000)
  expect(checks.find(({ id }) => id === 'webhook.backoff.cap')).toMatchObject({
    ...{ section: '6.2', level: 'must', tags: ['webhook', 'slow', 'writes'] },
    needs: expect.arrayContaining(['webhook-receiver']),
    writes: ['submits tasks', 'registers webhooks'],
  })
})

it('shows results, causes and evidence of a run', async () => {
  const failed: Partial<CheckFinished> = {
    ...{ verdict: 'failed', reason: 'status 200', expected: '401', observed: '200' },
    ...{ call: 'svc_createTask', sent: '{"timeout":0}' },
    evidence: [exchange({ at: 1 }), exchange({ at: 2, subject: true, cut: 9_000 })],
  }
  const finishedChecks = [finished('a'), finished('b', failed), finished('c', failed)]
  const end = { type: 'run-finished', at: started.at, ms: 9, interrupted: false, code: 1 }
  const checks = finishedChecks.map(({ id, title, section, clauses, level }) => ({
    id,
    title,
    section,
    clauses,
    level,
  }))
  const log = [{ ...started, checks, of: 9 }, ...finishedChecks, end]
  vi.stubEnv('SVC_KEY_READ', 'of another gateway')
  const runs = runsWith({ log, code: 1 })
  const run = await ended(runs, { clause: '4.2', seed })
  expect(run).toMatchObject({
    ...{ state: 'finished', code: 1, seed, selection: { clause: '4.2', seed } },
    verdict: 'SELECTED CHECKS FAILED (3 of 9)',
    counts: { passed: 1, failed: 2, untestable: 0, notApplicable: 0 },
    command: `polgate certify --target ${gatewayUrl} --clause 4.2 --seed ${seed}`,
  })
  expect((await runs.runs()).map(({ id }) => id)).toEqual([run.id])

  const { results, next } = await runs.events(run.id, 1)
  expect(next).toBe(3)
  expect(results.map(({ id }) => id)).toEqual(['b', 'c'])
  expect(results[0]).toMatchObject({
    ...{ call: 'svc_createTask', sent: '{"timeout":0}', reason: 'status 200' },
    replayId: replayId('b', seed),
  })
  expect(results[0]).not.toHaveProperty('evidence')
  const { groups } = await runs.groups(run.id)
  expect(groups).toMatchObject([{ cause: expect.stringContaining('status'), checks: ['b', 'c'] }])

  const detail = await runs.check(run.id, replayId('b', seed))
  expect(detail.result.id).toBe('b')
  expect(detail.evidence[1]).toMatchObject({
    ...{ kind: 'exchange', subject: true, cut: 9_000, request: { key: 'SVC_KEY_READ' } },
    response: { status: 200, body: '{"result":"then"}' },
  })
  await expect(runs.check(run.id, 'd')).rejects.toThrow(UnknownRun)
  await expect(runs.events('none', 0)).rejects.toThrow(UnknownRun)

  const { args, SVC_KEY_READ } = JSON.parse((await runs.page(run.id))!)
  expect(SVC_KEY_READ).toBeUndefined()
  expect(args).toEqual(expect.arrayContaining(['--clause', '4.2', '--seed', seed]))
})

it('follows a log while it is written, also a line that is not complete', async () => {
  const directory = join(folder, 'followed')
  const runs = runsWith({ log: [started, finished('a')], hangs: true }, { directory })
  const { id } = await runs.start({ only: ['webhook.backoff.cap'] })
  await expect.poll(async () => (await runs.events(id, 0)).next).toBe(1)
  const line = `${JSON.stringify(finished('b', { title: 'ü'.repeat(9) }))}\n`
  const file = join(directory, id, 'events.ndjson')
  await appendFile(file, line.slice(0, 40))
  expect((await runs.events(id, 1)).results).toEqual([])
  await appendFile(file, line.slice(40))
  expect((await runs.events(id, 1)).results).toMatchObject([{ id: 'b', title: 'ü'.repeat(9) }])
  expect((await runs.check(id, 'b')).evidence).toHaveLength(1)
  await expect(runs.start({})).rejects.toThrow(RunInProgress)
  expect(await runs.cancel(id)).toMatchObject({ state: 'cancelled' })
  expect(await runs.cancel(id)).toMatchObject({ state: 'cancelled' })

  // What was kept is there again; what was going on when its stack ended is interrupted.
  const record = join(directory, id, 'run.json')
  await writeFile(record, (await readFile(record, 'utf8')).replace('cancelled', 'running'))
  const [kept] = await runsWith({}, { directory }).runs()
  expect(kept).toMatchObject({ id, state: 'interrupted' })
})

it('compares two runs', async () => {
  const before = [finished('a'), finished('b', { verdict: 'failed' }), finished('c')]
  const runs = runsWith({ log: [started, ...before] })
  const first = await ended(runs)
  const after = [finished('a', { verdict: 'failed', reason: 'r' }), finished('b'), finished('c')]
  vi.stubEnv('SUITE_LOG', [started, ...after].map((event) => `${JSON.stringify(event)}\n`).join(''))
  const second = await ended(runs)
  expect(await runs.compare(first.id, second.id)).toMatchObject({
    broken: [{ id: 'a', before: 'passed', after: 'failed', reason: 'r' }],
    fixed: [{ id: 'b', before: 'failed', after: 'passed' }],
    ...{ stillFailing: [], newlyUntested: [], newlyTested: [], same: 1 },
  })
})

it('says why a run could not start, and starts none for what the suite has not', async () => {
  const runs = runsWith({ code: 2 })
  expect(await ended(runs)).toMatchObject({
    state: 'failed',
    code: 2,
    reason: 'the target is empty',
  })
  await expect(runs.start({ only: ['webhook.backof.cap'] })).rejects.toThrow('matches no check')
  await expect(runs.start({ clause: '99' })).rejects.toThrow('matches no check')
  expect(await runs.runs()).toHaveLength(1)
})

it('ends a run that takes too long, and every run when it is closed', async () => {
  const late = runsWith({ hangs: true }, { longestMs: 200 })
  expect(await ended(late)).toMatchObject({ state: 'timed-out' })
  const directory = join(folder, 'closed')
  const runs = runsWith({ log: [started], hangs: true }, { directory })
  const { id } = await runs.start({})
  await expect.poll(async () => (await runs.events(id, 0)).run.seed).toBe(seed)
  await runs.close()
  const record = JSON.parse(await readFile(join(directory, id, 'run.json'), 'utf8'))
  expect(record.state).toBe('cancelled')
  expect((await readdir(join(directory, id))).sort()).toEqual([
    'events.ndjson',
    'report.html',
    'run.json',
  ])
})

it('sends a recorded request again, with its key', async () => {
  const own = exchange({ request: request({ key: 'SVC_OWN_KEY_1' }) })
  const written = request({ key: undefined, headers: { authorization: 'Bearer $SVC_KEY_WRITE' } })
  const log = [
    started,
    finished('read', { evidence: [exchange(), exchange({ subject: true })] }),
    finished('own', { evidence: [own] }),
    finished('written', { evidence: [exchange({ request: written })] }),
    finished('elsewhere', {
      evidence: [exchange({ request: request({ url: 'http://127.0.0.1:1/rpc' }) })],
    }),
    finished('long', {
      evidence: [exchange({ cut: 9_000, request: request({ body: 'x'.repeat(4_000) }) })],
    }),
    finished('none', { evidence: [{ kind: 'block', at: 1, number: 7 }] }),
  ]
  const runs = runsWith({ log })
  const { id } = await ended(runs)
  const replay = (check: string, evidence?: number) =>
    runs.replay({ run: id, check, ...(evidence === undefined ? {} : { evidence }) })

  const { read, write } = stackDescription.apiKeys
  expect(await replay('read')).toMatchObject({
    before: { status: 200, body: '{"result":"then"}' },
    after: { status: 200, body: '{"result":"now","echo":"Bearer $SVC_KEY_READ"}' },
  })
  expect(received).toMatchObject({
    ...{ url: '/rpc', body: '{"id":1}', headers: { authorization: `Bearer ${read}` } },
  })
  await replay('written')
  expect(received.headers?.authorization).toBe(`Bearer ${write}`)

  await expect(replay('own')).rejects.toThrow('a key that the check made for itself')
  await expect(replay('elsewhere')).rejects.toThrow('not an address of this stack')
  await expect(replay('long')).rejects.toThrow('truncated')
  await expect(replay('none')).rejects.toThrow('no recorded request')
  await expect(replay('none', 0)).rejects.toThrow('a block is not a request')
  await expect(replay('read', 9)).rejects.toThrow('no recorded request')
})
