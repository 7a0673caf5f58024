import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { startNullServer } from 'polgate-self-test/nullTargets.ts'
import { afterEach, expect, test } from 'vitest'
import { replayId } from '../core/replayId.ts'
import { type CertifyOptions, certify } from './certify.ts'
import { lastRunIn } from './runRecords.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

const command = fileURLToPath(new URL('../../impl/cli/polgate.mjs', import.meta.url))
const key = 'a-key-of-this-test'

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'svc-replay-'))
  cleanup.defer(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

async function printed(options: CertifyOptions, cwd: string): Promise<string> {
  let stdout = ''
  await certify(options, {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: () => true },
    env: { SVC_KEY_READ: key },
    signal: new AbortController().signal,
    cwd,
  })
  return stdout
}

/** A line as a report prints it, run by a shell in the directory of the run. */
const runLine = (line: string, cwd: string) =>
  new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const { PATH, HOME } = process.env
    const [name, ...words] = line.split(' ')
    expect(name).toBe('polgate')
    const child = spawn(process.execPath, [command, ...words], {
      cwd,
      env: { PATH, HOME, SVC_KEY_READ: key },
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })

const linesIn = (report: string) =>
  [...report.matchAll(/polgate replay r[a-z0-9]{7}.*/g)].map(String)
const failedIn = (report: string) => [...report.matchAll(/^x \S+ (\S+)/gm)].map(([, id]) => id)

test('every printed replay line works as printed, with a report directory and after a replay', async () => {
  const cwd = temporary()
  const server = await startNullServer('constant-200')
  cleanup.defer(server.close)
  // The target has a name of its own, and its file is found by its path alone.
  writeFileSync(join(cwd, 'gateway.yaml'), `name: acme\ngatewayUrl: ${server.url}\n`)
  const grep = ['^rpc.id.echo.uuid$', '^rpc.keys.invalid.no-key$']
  const options = { target: 'gateway.yaml', grep, reportDir: join(cwd, 'out') }
  const report = await printed(options, cwd)
  // Both have one cause, of which the terminal shows the first; every other report has all.
  const page = readFileSync(join(cwd, 'out/junit.xml'), 'utf8')
  const [seed] = /0x[0-9a-f]{8}/.exec(report)!
  const failed = ['rpc.id.echo.uuid', 'rpc.keys.invalid.no-key']
  const lines = failed.map((id) => `polgate replay ${replayId(id, seed)}`)
  expect(lines).toContain(linesIn(report)[0])
  for (const line of lines) expect(page).toContain(`replay: ${line}`)
  for (const [i, line] of lines.entries()) {
    const { code, stdout, stderr } = await runLine(line, cwd)
    expect(stderr).not.toContain('error:')
    expect(failedIn(stdout)).toEqual([failed[i]])
    expect(stdout.split('\n')[0]).toBe(`seed ${seed}`)
    // The same line again: the replay is the newest run now.
    expect(linesIn(stdout)).toEqual([line])
    expect(code).toBe(1)
  }
  // The last run is still the one that failed, not its replays.
  expect(lastRunIn(cwd)?.events).toBe(join(cwd, 'out/events.ndjson'))
  const again = await runLine('polgate run --only-failed', cwd)
  expect(again.stdout).toContain('FAILED 2 must')
}, 240_000)

test('an id of no run of the directory names the nearest, and how to give a log', async () => {
  const cwd = temporary()
  const nothing = await runLine('polgate replay r2222222', cwd)
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('--events FILE')])
  expect(existsSync(join(cwd, '.svc/runs')) ? readdirSync(join(cwd, '.svc/runs')) : []).toEqual([])
}, 120_000)
