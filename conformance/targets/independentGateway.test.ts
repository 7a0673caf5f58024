import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { certify } from '../commands/certify.ts'
import type { CheckFinished, RunEvent } from '../core/events.ts'
import { reportOf } from '../reports/report.ts'

/** A gateway that is not the reference implementation, certified over the wire. */
const folder = fileURLToPath(new URL('../../fixtures/independent-gateway/', import.meta.url))
const target = join(folder, 'svc-target.yaml')
const directory = mkdtempSync(join(tmpdir(), 'independent-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Measured; a check that becomes untestable or not applicable proves nothing any more. */
const leastPassed = 169

const modulesOf = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![.\w])(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, module]) => module!)

test('it imports nothing of the repository', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
  expect(files.length).toBeGreaterThan(10)
  const imported = files.flatMap((name) => modulesOf(readFileSync(join(folder, name), 'utf8')))
  expect(imported).toContain('./rpc.mjs')
  const others = imported.filter((module) => !/^(node:[\w/]+|\.\/\w+\.mjs)$/.test(module))
  expect([...new Set(others)].sort()).toEqual(['viem', 'viem/accounts'])
})

test('the suite certifies it for what its target file declares', async () => {
  const out: string[] = []
  const sink = { write: (text: string) => void out.push(text) }
  const code = await certify(
    { target, reportDir: directory, workers: '1' },
    {
      stdout: sink,
      stderr: sink,
      env: process.env,
      signal: new AbortController().signal,
      cwd: directory,
      local: () => import('polgate-self-test/local/localTarget.ts'),
    },
  )
  const lines = readFileSync(join(directory, 'events.ndjson'), 'utf8').trim().split('\n')
  const { results, summary, started } = reportOf(lines.map((line) => JSON.parse(line) as RunEvent))
  const ended = (verdict: CheckFinished['verdict']) =>
    results.filter((result) => result.verdict === verdict)
  const told = (result: CheckFinished) =>
    `${result.id}: ${result.reason}, expected ${result.expected}, observed ${result.observed}`
  expect(ended('failed').map(told), out.join('')).toEqual([])
  expect(ended('untestable').map(told)).toEqual([])
  expect(ended('passed').length).toBeGreaterThanOrEqual(leastPassed)
  expect(ended('not-applicable').map(told)).toEqual([])
  expect(results).toHaveLength(started.checks.length)
  expect(summary.words).toBe('CONFORMANT TO base, private-data')
  expect(code).toBe(0)
})
