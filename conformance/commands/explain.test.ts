import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { checks } from '../checks/catalogue.ts'
import { planned } from '../core/check.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { type CheckFinished, eventLogVersion, type RunEvent } from '../core/events.ts'
import { readSummary } from '../proof/summary.ts'
import { nothingSeen } from '../runner/execute.ts'
import { type ExplainOptions, explain } from './explain.ts'

const directory = mkdtempSync(join(tmpdir(), 'svc-explain-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
beforeEach(() => rmSync(join(directory, '.svc'), { recursive: true, force: true }))

async function explained(name: string, options: ExplainOptions = {}) {
  let text = ''
  const code = await explain([name], options, {
    stdout: { write: (written: string) => (text += written) },
    stderr: { write: () => true },
    env: {},
    signal: new AbortController().signal,
    cwd: directory,
  })
  expect(code).toBe(0)
  return text
}

const check = checks.find(({ id }) => id === 'webhook.retry.503')!

function keepRun(place: string, change: Partial<CheckFinished>) {
  const path = join(directory, place)
  mkdirSync(path, { recursive: true })
  const at = '2026-11-01T00:00:00.000Z'
  const request = { method: 'POST', url: 'http://x.invalid/rpc', headers: {} }
  const exchange = (name: string) => ({
    kind: 'exchange' as const,
    at: 1,
    request: { ...request, body: name, key: undefined },
    status: 200,
    headers: {},
    body: `result of ${name}\u001b[31m`,
    ms: 1,
  })
  const events: readonly RunEvent[] = [
    {
      type: 'run-started',
      version: eventLogVersion,
      at,
      seed: '0x00000001',
      effort: 1,
      target: 'local',
      gatewayUrl: 'http://x.invalid',
      suite: 'conformance 0.1.0',
      capabilities: [],
      missing: {},
      checks: [planned(check)],
    },
    {
      type: 'check-finished',
      ...planned(check),
      verdict: 'passed',
      ms: 1,
      ...nothingSeen(0),
      evidence: [exchange('createTask'), { ...exchange('unregisterWebhook'), phase: 'cleanup' }],
      ...change,
    },
    { type: 'run-finished', at, ms: 1, interrupted: false, code: 0 },
  ]
  writeFileSync(
    join(path, 'events.ndjson'),
    events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  )
  return path
}

test('a check without a recorded run: its clauses, and how to see it pass', async () => {
  const text = await explained(check.id)
  expect(text).toContain(check.title)
  expect(text).toContain(check.clauses[0])
  expect(text).toContain(`polgate explain ${check.id} --target local`)
})

test('a check shows the exchange of the newest run here, or of the run that is named', async () => {
  const newest = keepRun('.svc/runs/2026-11-01', {})
  const text = await explained(check.id)
  expect(text).toContain(`Passing exchange (${newest})`)
  expect(text).toContain('> POST /rpc createTask')
  expect(text).toMatch(/^Source {3}conformance\/checks\/6\.2-[a-z-]+\.ts:\d+$/m)
  expect(text).toContain('< 200 result of createTask')
  expect(text).not.toContain('unregisterWebhook')
  expect(text).not.toContain('\u001b[31m')
  const named = keepRun('named', { verdict: 'failed', reason: 'no delivery' })
  expect(await explained(check.id, { run: named })).toContain(
    `none, the check was failed in ${named}\n  no delivery`,
  )
})

test('a newest run that cannot be read is none; a named one is an error', async () => {
  keepRun('.svc/runs/2026-11-01', {})
  writeFileSync(join(directory, '.svc/runs/2026-11-01/events.ndjson'), 'no event\n')
  expect(await explained(check.id)).toContain('Passing exchange: none recorded')
  await expect(explained(check.id, { run: join(directory, 'nowhere') })).rejects.toThrow(CannotRun)
  const other = keepRun('other', {})
  await expect(explained('rpc.id.number', { run: other })).rejects.toThrow('has no result of')
  await expect(explained(check.id, { run: other, target: 'local' })).rejects.toThrow('exclude')
})

test('a clause lists its mutants, a mutant the check that detects it', async () => {
  const [id, mutant] = Object.entries(readSummary().mutants)[0]!
  expect(await explained(mutant.clauses[0]!)).toContain(`  ${id}: ${mutant.fault}`)
  const text = await explained(id)
  expect(text).toContain(`A gateway that ${mutant.fault}: killed`)
  if (!existsSync(new URL('../.cache/mutants.json', import.meta.url))) {
    expect(text).toContain(`Detected by ${mutant.detectedBy}`)
    expect(text).toContain(`npm run mutants -- --only '^${id.replaceAll('.', '\\.')}$' --record`)
  }
})

test('a name that is unknown gets the nearest one', async () => {
  await expect(explained('webhook.retry.504')).rejects.toThrow("'webhook.retry.504' is not a check")
})
