import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NullServer, startNullServer } from 'polgate-self-test/nullTargets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CannotRun } from '../core/conformanceError.ts'
import type { RunEvent } from '../core/events.ts'
import { exampleRun } from '../reports/exampleRun.fixture.ts'
import { reportOf } from '../reports/report.ts'
import { type CertifyOptions, certify } from './certify.ts'
import { openGate } from './gate.ts'
import { suiteVersion } from './runSuite.ts'

const cwd = mkdtempSync(join(tmpdir(), 'gate-'))
let server: NullServer
let made = 0

beforeAll(async () => {
  server = await startNullServer('reject-everything')
})
afterAll(async () => {
  await server.close()
  rmSync(cwd, { recursive: true })
})

const known = exampleRun.map((event) =>
  event.type === 'run-started' ? { ...event, suite: suiteVersion, target: 'main' } : event,
)

/** Writes a log, and returns its name. */
function log(events: readonly RunEvent[], text?: string): string {
  const name = `${made++}.ndjson`
  writeFileSync(join(cwd, name), text ?? events.map((each) => `${JSON.stringify(each)}\n`).join(''))
  return name
}

const changed = (change: (event: RunEvent) => object, events = known): readonly RunEvent[] =>
  events.map((event) => ({ ...event, ...change(event) }) as RunEvent)

const verdict = (id: string, to: object) => (event: RunEvent) =>
  event.type === 'check-finished' && event.id === id ? to : {}

const firstOf = (wanted: string) =>
  known.flatMap((e) => (e.type === 'check-finished' && e.verdict === wanted ? [e.id] : []))[0]!

/** The outcome for a run with these events, which had the exit code. */
function judged(events: readonly RunEvent[], code: 0 | 1 | 2 | 3 | 130 = 1) {
  const gate = openGate({ compareWith: log(known) }, cwd, () => undefined)!
  gate.onTarget({ name: 'main' })
  return gate.judge({ report: reportOf(events), lines: [], code, directory: undefined })
}

test('known failures pass, new failures and lost proofs do not, whatever the verdict of the run', () => {
  expect(judged(known)).toMatchObject({ outcome: 'passed', code: 0 })
  const passed = firstOf('passed')
  const failure = judged(changed(verdict(passed, { verdict: 'failed', reason: 'wrong' })))
  expect(failure).toMatchObject({ outcome: 'failed', code: 1 })
  expect(failure.reason).toMatch(/^1 new failures and 0 lost proofs since /)
  expect(failure.comparison!.newFailures[0]!.id).toBe(passed)
  const lost = judged(changed(verdict(passed, { verdict: 'untestable', reason: 'no key' })), 3)
  expect([lost.outcome, lost.code]).toEqual(['failed', 1])
  const repaired = judged(changed(verdict(firstOf('failed'), { verdict: 'passed' })))
  expect([repaired.outcome, repaired.code]).toEqual(['passed', 0])
})

test('a proof that was lost to an outage or an overloaded machine is inconclusive, a stopped run keeps its code', () => {
  const passed = firstOf('passed')
  for (const why of [{ outage: { at: 1, why: 'gone' } }, { overload: 'load 9 on 2 processors' }]) {
    const { outcome, code } = judged(changed(verdict(passed, { verdict: 'untestable', ...why })), 3)
    expect([outcome, code]).toEqual(['inconclusive', 3])
  }
  expect(judged(known, 130)).toMatchObject({ outcome: 'stopped', code: 130 })
  expect(judged(known, 2)).toMatchObject({ outcome: 'stopped', code: 2 })
})

const without = (id: string, events: readonly RunEvent[] = known) =>
  events.filter((event) => !(event.type === 'check-finished' && event.id === id))

test('a run with checks that did not report has stopped, unless another failed anew', () => {
  // Known failures are enough to stop a run with --bail.
  for (const id of [firstOf('passed'), firstOf('failed'), firstOf('untestable')]) {
    const { outcome, code, reason } = judged(without(id))
    expect([outcome, code, reason]).toEqual(['stopped', 1, '1 check did not report'])
  }
  expect(judged(without(firstOf('failed')), 3)).toMatchObject({ outcome: 'stopped', code: 3 })
  const worse = changed(verdict(firstOf('passed'), { verdict: 'failed', reason: 'wrong' }))
  expect(judged(without(firstOf('failed'), worse))).toMatchObject({ outcome: 'failed', code: 1 })
})

const unusable: readonly (readonly [why: string, reference: () => string])[] = [
  ['there is no such event log', () => 'nowhere'],
  [
    'it is a run of conformance 0.0.1',
    () => log(changed((e) => (e.type === 'run-started' ? { suite: 'conformance 0.0.1' } : {}))),
  ],
  [
    'it is an event log of version 1',
    () => log(changed((e) => (e.type === 'run-started' ? { version: 1 } : {}))),
  ],
  ['that run did not finish', () => log(known.slice(0, -1))],
  [
    'that run did not finish',
    () => log(changed((e) => (e.type === 'run-finished' ? { interrupted: true } : {}))),
  ],
  ['1 check of that run did not report', () => log(without(firstOf('failed')))],
  [
    'that run could not run',
    () => log(changed((e) => (e.type === 'run-finished' ? { code: 2 } : {}))),
  ],
  [
    'that run proves nothing',
    () => log(changed((e) => (e.type === 'check-finished' ? { verdict: 'failed' } : {}))),
  ],
]

test.each(unusable)('without a usable reference a run does not start: %s', (why, reference) => {
  const compareWith = reference()
  const open = (withoutReference?: string) => {
    const notes: string[] = []
    const note = (text: string) => {
      notes.push(text)
    }
    return { gate: openGate({ compareWith, withoutReference }, cwd, note), notes }
  }
  expect(() => open()).toThrow(CannotRun)
  expect(() => open('fail')).toThrow(`cannot compare with ${compareWith}: ${why}`)
  const { gate, notes } = open('verdict')
  expect(notes).toEqual([expect.stringContaining(`${why}`)])
  for (const code of [0, 1, 3] as const)
    expect(
      gate!.judge({ report: reportOf(known), lines: [], code, directory: undefined }),
    ).toMatchObject({ outcome: 'no-reference', code, reason: expect.stringContaining(why) })
})

test('a damaged reference is an error in either mode; so is one of another target, unless allowed', () => {
  for (const text of ['', 'no log\n', `${JSON.stringify(known[0])}\n{"type":"other"}\n`])
    for (const withoutReference of ['fail', 'verdict'])
      expect(() =>
        openGate({ compareWith: log([], text), withoutReference }, cwd, () => undefined),
      ).toThrow(CannotRun)
  const open = (withoutReference: string) =>
    openGate({ compareWith: log(known), withoutReference }, cwd, () => undefined)!
  const said = "it is a run on 'main', and this is 'preview'"
  expect(() => open('fail').onTarget({ name: 'preview' })).toThrow(said)
  const gate = open('verdict')
  gate.onTarget({ name: 'preview' })
  const run = { report: reportOf(known), lines: [], code: 1 as const, directory: undefined }
  expect(gate.judge(run)).toMatchObject({ outcome: 'no-reference', code: 1 })
})

test('options that contradict each other are one-line errors', () => {
  const open = (options: object) => () => openGate(options, cwd, () => undefined)
  expect(open({})()).toBeUndefined()
  expect(open({ withoutReference: 'verdict' })).toThrow('--without-reference needs --compare-with')
  expect(open({ compareWith: 'x', withoutReference: 'ignore' })).toThrow("'ignore' is unknown")
  expect(open({ compareWith: log(known), baseline: 'b.yaml' })).toThrow('exclude each other')
})

async function run(options: CertifyOptions, env: Readonly<Record<string, string>> = {}) {
  const said = { stdout: '', stderr: '' }
  const into = (name: keyof typeof said) => ({
    write: (text: string) => {
      said[name] += text
    },
  })
  const { signal } = new AbortController()
  const io = { stdout: into('stdout'), stderr: into('stderr'), env, signal, cwd }
  const keys = { SVC_KEY_READ: 'an unknown key' }
  const code = await certify(
    { target: server.url, ...options },
    { ...io, env: { ...env, ...keys } },
  )
  return { code, ...said }
}

/** Fails on this server, which returns no id; the own check passes. */
const grep = ['rpc.id.echo', '^acme.fixture']

test('a run against its own reference is exit 0 though it fails, and says so everywhere', async () => {
  mkdirSync(join(cwd, 'checks'))
  writeFileSync(
    join(cwd, 'checks/a.mjs'),
    `export const a = { id: 'acme.fixture', title: 'answers', level: 'must', run: async (t) => { await t.call('x', {}) } }`,
  )
  const checks = ['checks/a.mjs']
  const first = await run({
    grep,
    checks,
    reportDir: join(cwd, 'main'),
    compareWith: 'main',
    withoutReference: 'verdict',
  })
  expect(first.code).toBe(1)
  expect(first.stdout).toContain('comparison no-reference: not compared with main')
  const files = Object.fromEntries(
    ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'].map((name) => [name, join(cwd, name)]),
  )
  const github = { GITHUB_ACTIONS: 'true', ...files }
  const second = await run(
    { grep, checks, reportDir: join(cwd, 'branch'), compareWith: 'main' },
    github,
  )
  expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('comparison passed')])
  expect(readFileSync(files.GITHUB_OUTPUT!, 'utf8')).toMatch(/exit-code=0[\s\S]*gate=passed/)
  expect(readFileSync(files.GITHUB_STEP_SUMMARY!, 'utf8')).toContain('NO WORSE')
  expect(JSON.parse(readFileSync(join(cwd, 'branch/gate.json'), 'utf8'))).toMatchObject({
    gateVersion: 1,
    outcome: 'passed',
    comparison: { newFailures: [] },
  })
  const fewer = await run(
    { grep: ['rpc.id.echo'], reportDir: join(cwd, 'fewer'), compareWith: 'main', json: true },
    github,
  )
  expect(fewer.code).toBe(1)
  expect(fewer.stderr).toContain('0 new failures and 1 lost proofs since main')
  expect(() => JSON.parse(fewer.stdout)).not.toThrow()
  const none = await run({ grep: ['rpc.id.echo'], compareWith: 'nowhere' })
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringContaining('cannot compare with nowhere'),
  ])
}, 180_000)
