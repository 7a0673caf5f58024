import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadPrivateKey } from '../certificate/keys.ts'
import { signingKey, writeCertificate } from '../certificate/writeCertificate.ts'
import { checks } from '../checks/catalogue.ts'
import { planned, suiteCheck } from '../core/check.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { CheckFinished, RunEvent } from '../core/events.ts'
import { eventLogVersion } from '../core/events.ts'
import { reportOf } from '../reports/report.ts'
import { nothingSeen } from '../runner/execute.ts'
import { compare } from './compare.ts'
import { type VerifyOptions, verify } from './verify.ts'

const directory = mkdtempSync(join(tmpdir(), 'svc-verify-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const said: string[] = []
const world = {
  stdout: { write: (text: string) => said.push(text) },
  stderr: { write: () => true },
  env: {},
  signal: new AbortController().signal,
  cwd: directory,
}
async function run(options: VerifyOptions) {
  said.length = 0
  const code = await verify(options, world)
  return { code, text: said.join('') }
}

/** A run of the whole suite without findings, as its runner would have written it. */
const now = new Date()
const wholeRun: readonly RunEvent[] = [
  {
    type: 'run-started',
    version: eventLogVersion,
    at: now.toISOString(),
    seed: '0x005eed42',
    effort: 1,
    target: 'local',
    gatewayUrl: 'http://127.0.0.1:1',
    suite: 'conformance 0.1.0',
    capabilities: [],
    missing: {},
    checks: checks.map(planned),
  },
  ...checks.map(
    (check): CheckFinished => ({
      type: 'check-finished',
      ...planned(check),
      verdict: 'passed',
      ms: 1,
      ...nothingSeen(0),
    }),
  ),
  { type: 'run-finished', at: now.toISOString(), ms: 1, interrupted: false, code: 0 },
]

async function keep(name: string, events: readonly RunEvent[]) {
  const place = join(directory, name)
  const lines = events.map((event) => JSON.stringify(event))
  const key = signingKey(undefined, directory)
  await writeCertificate(reportOf(events), {
    directory: place,
    key,
    checks: checks.map(suiteCheck),
    lines,
  })
  writeFileSync(join(place, 'events.ndjson'), lines.map((line) => `${line}\n`).join(''))
  return place
}

describe('polgate verify', () => {
  test('a complete, unmodified run: each step, and exit code 0', async () => {
    const place = await keep('whole', wholeRun)
    const { code, text } = await run({ certificate: place })
    expect(code).toBe(0)
    expect(text).toContain('ok signature')
    expect(text).toContain('recomputed from the evidence: PASSED, CONFORMANT')
    expect(text).toContain('VERIFIED: PASSED, CONFORMANT\n')
    const json = await run({ certificate: place, json: true })
    expect(JSON.parse(json.text)).toMatchObject({ holds: true, authentic: true, result: 'PASSED' })
  })

  test('a run with a finding, a partial run, changed evidence, another key: exit code 1', async () => {
    const failing = wholeRun.map((event, i) =>
      i === 1 ? ({ ...event, verdict: 'failed', reason: 'no' } as RunEvent) : event,
    )
    const failed = await run({ certificate: await keep('failing', failing) })
    expect([failed.code, failed.text]).toEqual([
      1,
      expect.stringContaining('AUTHENTIC, but it does not certify'),
    ])

    const some = checks.slice(0, 3).map(({ id }) => id)
    const part = wholeRun.flatMap((event): readonly RunEvent[] =>
      event.type === 'run-started'
        ? [{ ...event, checks: event.checks.filter(({ id }) => some.includes(id)) }]
        : event.type === 'check-finished' && !some.includes(event.id)
          ? []
          : [event],
    )
    const place = await keep('part', part)
    const partly = await run({ certificate: place })
    expect(partly.code).toBe(1)
    expect(partly.text).toContain('a part of them proves no profile')

    const log = join(place, 'events.ndjson')
    writeFileSync(log, readFileSync(log, 'utf8').replace('"ms":1,', '"ms":2,'))
    expect((await run({ certificate: place })).text).toContain('REFUSED')

    const other = join(directory, 'other.pem')
    await run({ newKey: other })
    const foreign = await run({ certificate: join(directory, 'whole'), key: `${other}.pub` })
    expect([foreign.code, foreign.text]).toEqual([1, expect.stringContaining('did not sign it')])
  })

  test('with --challenge: valid only if the live target passes the selected checks again', async () => {
    const certificate = join(directory, 'whole')
    const answering = (verdict: CheckFinished['verdict']) => async (ids: readonly string[]) =>
      wholeRun
        .filter((e): e is CheckFinished => e.type === 'check-finished' && ids.includes(e.id))
        .map((result) => ({ ...result, verdict }))
    const fine = await run({ certificate, challenge: 1, rerun: answering('passed') })
    expect([fine.code, fine.text]).toEqual([0, expect.stringContaining('passed again on the live')])
    const gone = await run({ certificate, challenge: 1, rerun: answering('failed') })
    expect(gone.code).toBe(1)
  })

  test('an unreadable certificate gets no verdict', async () => {
    const certificate = join(directory, 'whole')
    const rsa = join(directory, 'rsa.pub')
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
    writeFileSync(rsa, pair.publicKey.export({ type: 'spki', format: 'pem' }))
    const wrong: readonly VerifyOptions[] = [
      {},
      { certificate: join(directory, 'nowhere') },
      { certificate, events: join(directory, 'nowhere') },
      { certificate, key: join(directory, 'nowhere') },
      { certificate, key: rsa },
      { certificate, key: join(certificate, 'events.ndjson') },
      { certificate, key: join(directory, '.svc/certify-key.pem') },
    ]
    for (const options of wrong) await expect(run(options)).rejects.toThrow(CannotRun)
  })
})

describe('keys', () => {
  test('are readable by their owner only, and never overwritten', async () => {
    const file = join(directory, 'new/key.pem')
    const { code, text } = await run({ newKey: file })
    expect(code).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(`${file}.pub`)).toBe(true)
    expect(text).not.toContain('PRIVATE KEY')
    await expect(run({ newKey: file })).rejects.toThrow(CannotRun)
  })
  test('an error never contains a private key', () => {
    const file = join(directory, 'broken.pem')
    writeFileSync(file, '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n')
    try {
      loadPrivateKey(file)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(CannotRun)
      expect(`${(error as Error).stack}`).not.toContain('c2VjcmV0')
      expect((error as Error).cause).toBeUndefined()
    }
  })
})

test('polgate compare: 0 if nothing is worse, 1 if a proof is lost, 2 if there is no log', async () => {
  const whole = join(directory, 'whole')
  const same = { before: whole, after: whole }
  expect(await compare(same, world)).toBe(0)
  expect(await compare({ before: whole, after: join(directory, 'part') }, world)).toBe(1)
  said.length = 0
  expect(await compare({ ...same, json: true }, world)).toBe(0)
  expect(JSON.parse(said.join(''))).toMatchObject({ comparisonVersion: 1, worse: false })
  await expect(compare({ before: whole, after: '/nowhere' }, world)).rejects.toThrow(CannotRun)
})
