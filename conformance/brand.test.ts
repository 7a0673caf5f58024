import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { CheckFinished } from './runner/events.ts'

/** A gateway with names of its own, in a process of its own, certified at its address. */
const svc = fileURLToPath(new URL('../impl/cli/svc.mjs', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'certify-brand-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Checks of every place where a name of the maker's stands: methods, topics, headers. */
const selection = [
  'rpc\\.createTask\\.allow',
  'rpc\\.method-not-found',
  'rpc\\.keys\\.(read|write)-suffices',
  'rpc\\.storeSecrets\\.accepted',
  'rpc\\.uploadIdentity\\.reference',
  'rpc\\.sendTask\\.(result|updates)',
  'rpc\\.simulateWithClient\\.none-stored',
  'rpc\\.discover',
  'explorer\\.network\\.(wrong-unknown|selects)',
]

const run = (...args: readonly string[]) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const { PATH, HOME } = process.env
    const env = { PATH, HOME }
    const child = spawn(process.execPath, [svc, ...args], { cwd: directory, env })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => resolve({ code, output }))
  })

test('a gateway of another brand is certified without a change of the suite', async () => {
  const greps = selection.map((pattern) => `--grep '${pattern}'`).join(' ')
  const certify = `'${process.execPath}' '${svc}' certify --target $SVC_GATEWAY_URL --report-dir out ${greps}`
  const start = ['start', '--port', '0', '--chain-port', '0', '--brand', 'acme']
  const { code, output } = await run(...start, '--exec', certify)
  expect(code, output).toBe(0)
  const events = readFileSync(join(directory, 'out/events.ndjson'), 'utf8').trim().split('\n')
  const results = events
    .map((line) => JSON.parse(line) as CheckFinished)
    .filter(({ type }) => type === 'check-finished')
  expect(results.length).toBeGreaterThan(selection.length)
  expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
  // It listened to the brand's names, and to no other.
  const listed = results.find(({ id }) => id === 'rpc.discover.observed.methods')
  expect(listed?.observations).toContain('methods of section 4 that are not listed: []')
}, 180_000)
