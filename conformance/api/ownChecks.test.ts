import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { validateStrict } from 'ctrf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certify as command } from '../commands/certify.ts'
import { reportSchema } from '../reports/reportSchema.ts'
import { commandWorld, openUsersFolder, type UsersFolder } from './usersFolder.fixture.ts'

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
let folder: UsersFolder
let cwd: string
let target: string
let run: UsersFolder['run']

beforeAll(async () => {
  folder = await openUsersFolder()
  ;({ cwd, target, run } = folder)
})
afterAll(() => folder.close())

describe.sequential('the checks of a gateway itself', () => {
  const reportsIn = (directory: string) =>
    ['events.ndjson', 'report.json', 'summary.md', 'report.html', 'junit.xml', 'ctrf.json'].map(
      (file) => readFileSync(join(directory, file), 'utf8'),
    )
  test('one that passes runs in every thread, is in every report, and proves no clause', async () => {
    const reportDir = join(cwd, 'own')
    const grep = ['rpc.id.echo', '^acme']
    const plain = await run({ grep: ['rpc.id.echo'] })
    const result = await run({
      checks: 'checks/{passes.ts,tools.mjs}',
      grep,
      reportDir,
      workers: 2,
    })
    expect(result.failures).toEqual([])
    expect([result.verdict, result.exitCode]).toEqual(['selected-checks-passed', 0])
    expect(result.counts).toEqual(plain.counts)
    expect(result.own).toMatchObject({ total: 2, passed: 2 })
    for (const text of reportsIn(reportDir)) {
      expect(text).toContain('checks/passes.ts')
      expect(text).not.toContain('a-token-of-acme-that-is-secret')
    }
    const [, json, , , , ctrf] = reportsIn(reportDir)
    const ajv = new Ajv()
    formats.default(ajv)
    expect(ajv.validate(reportSchema, JSON.parse(json!))).toBe(true)
    validateStrict(JSON.parse(ctrf!))
    // A part of the suite has neither.
    for (const file of ['certificate.json', 'badge.json'])
      expect(existsSync(join(reportDir, file))).toBe(false)
  })

  test('a required one that fails is exit 1 and no verdict about the specification', async () => {
    const reportDir = join(cwd, 'own-fails')
    const result = await run({
      checks: 'checks/fails.mjs',
      grep: ['rpc.id.echo', '^acme'],
      reportDir,
    })
    expect(result).toMatchObject({
      exitCode: 1,
      verdict: 'own-checks-failed',
      reason: "1 required check of the gateway's own failed",
      counts: { passed: 4, failed: { must: 0 } },
      own: { failed: { must: 1, should: 1 } },
    })
    expect(result.failures[0]).toMatchObject({
      clauses: [],
      file: 'checks/fails.mjs',
      expected: '-32000',
      observed: '-32601',
    })
    expect(result.failures[0]!.curl).toContain('noSuchMethod')
    const [log, , summary] = reportsIn(reportDir)
    expect(summary).toContain('OWN CHECKS FAILED')
    expect(log).toContain('"own":{"file":"checks/fails.mjs"')
    const advice = await run({ checks: 'checks/fails.mjs', grep: ['rpc.id.echo', 'acme.advises'] })
    expect([advice.verdict, advice.exitCode]).toEqual(['selected-checks-passed', 0])
  })

  test('alone they decide, and nothing is called conformant or certified', async () => {
    const reportDir = join(cwd, 'own-alone')
    const result = await run({ checks: ['checks/passes.ts'], tag: ['own'], reportDir })
    expect([result.exitCode, result.verdict, result.counts.total]).toEqual([
      0,
      'own-checks-passed',
      0,
    ])
    expect(reportsIn(reportDir)[2]).toContain('OWN CHECKS PASSED')
    expect(result.reports.certificate).toBeUndefined()
    expect(existsSync(join(reportDir, 'certificate.json'))).toBe(false)
  })

  test('a required one that cannot be tested makes the run inconclusive', async () => {
    // Where no stack is described, here or above.
    const elsewhere = mkdtempSync(join(tmpdir(), 'svc-own-'))
    const result = await run({
      cwd: elsewhere,
      env: { SVC_KEY_READ: folder.stack.target.keys.read },
      checks: join(cwd, 'checks/untestable.mjs'),
      grep: ['rpc.id.echo', '^acme'],
    }).finally(() => rmSync(elsewhere, { recursive: true }))
    expect([result.exitCode, result.reason]).toEqual([
      3,
      "1 required check of the gateway's own was untestable",
    ])
    expect(result.own).toMatchObject({ untestable: 2, total: 2 })
  })

  test('list, explain, the dry run, only failed and replay know them', async () => {
    const checks = ['checks/passes.ts', 'checks/fails.mjs']
    const { list } = await import('../commands/list.ts')
    const { explain } = await import('../commands/explain.ts')
    const { replay } = await import('../commands/replay.ts')
    const { replayId } = await import('../core/replayId.ts')
    const listed = commandWorld(cwd)
    expect(await list({ checks, tag: ['own'] }, listed.world)).toBe(0)
    expect(listed.said.text).toMatch(/^own +must +acme\.fails \{.*own\}/m)
    expect(listed.said.text).toContain('3 checks')
    const explained = commandWorld(cwd)
    expect(await explain(['acme.passes'], { checks }, explained.world)).toBe(0)
    expect(explained.said.text).toContain(
      "A check of the gateway's own: it proves no clause\n  ACME-7",
    )
    const planned = commandWorld(cwd)
    expect(await command({ target, checks, grep: ['acme'], dryRun: true }, planned.world)).toBe(0)
    expect(planned.said.text).toContain("own      3 checks of the gateway's own")
    const failing = commandWorld(cwd)
    expect(await command({ target, checks, grep: ['acme'], seed: '7' }, failing.world)).toBe(1)
    expect(failing.said.text).toContain('OWN CHECKS FAILED')
    const again = commandWorld(cwd)
    expect(await command({ onlyFailed: true }, again.world)).toBe(1)
    expect(again.said.text).toMatch(/own +0 of 2 passed/)
    const replayed = commandWorld(cwd)
    const what = [replayId('acme.fails', '0x00000007')]
    expect([await replay({ what }, replayed.world), replayed.said.text]).toEqual([
      1,
      expect.stringContaining('1 must, 0 should, 0 may failed'),
    ])
  })

  test('the examples of the documentation run: a reporter of a module, and two checks', async () => {
    cpSync(fileOf('conformance/examples'), join(cwd, 'examples'), { recursive: true })
    const readme = readFileSync(fileOf('conformance/README.md'), 'utf8')
    const blocks = [...readme.matchAll(/^```(?:ts|js)\n([\s\S]*?)^```$/gm)].map(([, text]) => text!)
    expect(blocks.at(-1)).toBe(readFileSync(join(cwd, 'examples/reporter.mjs'), 'utf8'))
    expect(blocks.at(-1)!.trim().split('\n')).toHaveLength(14)
    writeFileSync(
      join(cwd, 'examples/readme.ts'),
      blocks.find((text) => text.includes('defineCheck('))!,
    )
    const file = join(cwd, 'failures.txt')
    process.env.FAILURES_FILE = file
    const result = await run({
      checks: './examples/*.ts',
      grep: ['acme'],
      reporters: ['./examples/reporter.mjs'],
    }).finally(() => delete process.env.FAILURES_FILE)
    expect([result.exitCode, result.own]).toEqual([0, expect.objectContaining({ passed: 3 })])
    expect(readFileSync(file, 'utf8')).toBe(`own-checks-passed, seed ${result.seed}\n`)
  })
})
