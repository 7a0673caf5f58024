import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checks } from 'polgate-conformance/checks/catalogue.ts'
import { type CertifyOptions, certify } from 'polgate-conformance/commands/certify.ts'
import { areExcepted } from 'polgate-conformance/core/profileProof.ts'
import type { TargetFile } from 'polgate-conformance/targets/targetSchema.ts'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStub, stubKeys } from './stubGateway.fixture.ts'

const cleanup = createCleanupStack()
let url: string
const directory = mkdtempSync(join(tmpdir(), 'svc-stub-'))

beforeAll(async () => {
  const stub = await startStub()
  cleanup.defer(stub.close)
  url = stub.url
})
afterAll(cleanup.close)

async function run(name: string, file: Partial<TargetFile>, options: Partial<CertifyOptions> = {}) {
  const out: string[] = []
  const sink = { write: (text: string) => void out.push(text) }
  const reportDir = join(directory, name)
  const code = await certify(
    { description: { gatewayUrl: url, keys: stubKeys, ...file }, reportDir, ...options },
    { stdout: sink, stderr: sink, env: {}, signal: new AbortController().signal, cwd: directory },
  )
  const text = out.join('')
  const last = text.trim().split('\n').at(-1)!
  const files = existsSync(reportDir) ? readdirSync(reportDir) : []
  return { code, text, last, files, reportDir }
}

const waiverOfEverything = () =>
  Object.fromEntries(
    [...new Set(checks.flatMap(({ needs }) => needs))]
      .filter((need) => need !== 'key:read')
      .map((need) => [need, 'the stub has no such thing']),
  )
const excepted = () =>
  Object.fromEntries(Object.entries(waiverOfEverything()).filter(([name]) => areExcepted([name])))

describe('a stub of a hundred lines', () => {
  test('that waives all it lacks is refused before the run', async () => {
    const { code, text, files } = await run('waived', { notApplicable: waiverOfEverything() })
    expect(code).toBe(2)
    expect(text).toMatch(/notApplicable waives \S+, without which the profile \S+ cannot hold/)
    expect(files).toEqual([])
  })

  test('that claims nothing is not conformant, with the waivers that are permitted', async () => {
    const { code, last } = await run('whole', { notApplicable: excepted() })
    expect([code, last]).toEqual([1, expect.stringMatching(/^NOT CONFORMANT: \d+ required/)])
  })

  test('that claims base is certified for base, and for nothing else', async () => {
    const { code, text, last, files } = await run('base', {
      profiles: ['base'],
      notApplicable: excepted(),
    })
    expect([code, last], text).toEqual([
      0,
      expect.stringMatching(/^CONFORMANT TO base: \d+ of \d+ required clauses are not proven/),
    ])
    expect(files).toEqual(expect.arrayContaining(['badge.json', 'certificate.json']))
    expect(text).toMatch(/Not claimed +tasks, updates, .* \(\d+ checks\)/)
  })

  test('whose checks are selected is certified for nothing, in no file', async () => {
    const selections: readonly Partial<CertifyOptions>[] = [
      { clause: ['7.1'] },
      { grep: ['rpc.parse-error'] },
      { shard: '1/2' },
      { limits: { budget: 60 } },
    ]
    for (const [at, selection] of selections.entries()) {
      // In the folder of a certified run: its badge and its certificate do not describe this one.
      const name = at === 0 ? 'base' : `part-${at}`
      const { code, last, files, reportDir } = await run(name, { profiles: ['base'] }, selection)
      expect([code, last]).toEqual([
        0,
        expect.stringMatching(/^SELECTED CHECKS PASSED \(\d+ of \d+\)/),
      ])
      expect(files.filter((file) => /badge|certificate/.test(file))).toEqual([])
      for (const file of files)
        expect(readFileSync(join(reportDir, file), 'utf8'), file).not.toMatch(/\bconformant\b/i)
    }
  })

  test('that has ended could not be run', async () => {
    const ended = await startStub()
    await ended.close()
    const { code, text } = await run('gone', { gatewayUrl: ended.url })
    expect([code, text]).toEqual([2, expect.stringContaining(`no answer from ${ended.url}/rpc`)])
  })
})
