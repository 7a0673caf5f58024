import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { doctorReport } from 'polgate-conformance/commands/doctor.ts'
import type { RunEvent, RunStarted } from 'polgate-conformance/core/events.ts'
import { exampleRun } from 'polgate-conformance/reports/exampleRun.fixture.ts'
import { stackDescription } from 'polgate-conformance/targets/stackDescription.fixture.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import { expect, test } from 'vitest'
import { banner } from './banner.ts'
import { colours } from './colours.ts'
import { commands } from './commands.ts'
import { runMain } from './testing/runMain.ts'
import { cliPath, runProcess } from './testing/runProcess.ts'

const columns = 60

/** Lines that are longer than the terminal, other than a single word: a URL, an id, a file name. */
const overlong = (text: string): readonly string[] =>
  stripVTControlCharacters(text)
    .split(/\r?\n/)
    .filter((line) => line.length > columns && line.trim().split(/\s+/).length > 1)

async function narrow(...args: readonly string[]) {
  const before = process.env.COLUMNS
  process.env.COLUMNS = String(columns)
  try {
    return await runMain(...args)
  } finally {
    if (before === undefined) delete process.env.COLUMNS
    else process.env.COLUMNS = before
  }
}

test.each(['', ...Object.keys(commands)])('the help of %s fits 60 columns', async (command) => {
  const { stdout } = await narrow(...[command].filter(Boolean), '--help')
  expect(stdout).toContain('Usage: polgate')
  expect(overlong(stdout)).toEqual([])
})

test('the banner fits 60 columns, but for what is to be copied', () => {
  const facts = {
    secretsPublicKey: 'a'.repeat(64),
    privacyPublicKey: 'b'.repeat(64),
    block: 7,
    seconds: 1,
  }
  const allowList = { policyClient: `0x${'6'.repeat(40)}` }
  const stack = { ...stackDescription, clients: { 'allow-list': allowList as never } }
  const text = banner(stack, facts, colours({}, {}), columns)
  // A quoted header or URL of a command is one word of a shell.
  const copied = /^(curl| {2}-H| "?|{|}| {1,4}")/
  expect(overlong(text).filter((line) => !copied.test(line))).toEqual([])
  expect(text).toContain(`${stackDescription.adminUrl}`)
  expect(banner(stack, facts, colours({}, {}))).toContain(
    `admin         ${stackDescription.adminUrl}   /readyz`,
  )
})

test('the summary of a run fits 60 columns, but for commands that are to be copied', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'width-'))
  try {
    const [started, ...rest] = exampleRun as readonly [RunStarted, ...RunEvent[]]
    const isMine = ({ id }: { readonly id: string }) =>
      started.checks.findIndex((each) => each.id === id) % 2 === 0
    const others = started.checks.filter((check) => !isMine(check))
    const shard = { index: 1, count: 2, others }
    const lines = [
      { ...started, checks: started.checks.filter(isMine), shard },
      ...rest.filter((event) => event.type !== 'check-finished' || isMine(event)),
    ].map((event) => `${JSON.stringify(event)}\n`)
    writeFileSync(join(directory, 'shard.ndjson'), lines.join(''))
    const { stdout, stderr } = await runProcess(
      ['merge', 'shard.ndjson', '--report-dir', 'out', '--report', 'json'],
      { cwd: directory, env: { COLUMNS: String(columns) } },
    )
    expect(stdout, stderr).toContain('Clauses proven')
    expect(overlong(stdout).filter((line) => !line.startsWith('  Curl '))).toEqual([])
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('the report of doctor fits 60 columns', () => {
  const says = 'there is none, which is a long story of a port that nobody opened'
  const hint = 'Open it, and write its address into the target file as webhookReceiver.'
  const diagnosis = {
    target: 'gateway',
    gatewayUrl: 'https://gateway.example',
    examined: [{ room: 'surfaces', name: 'webhook receiver', state: 'missing', says, hint }],
    lost: [{ need: 'webhook-receiver', reason: says, waived: true, checks: 30, alone: 20 }],
    checks: 100,
    provable: 70,
  } as const
  const text = wrapText(doctorReport(diagnosis, colours({}, {})), columns)
  expect(overlong(text)).toEqual([])
  expect(text.split(/\s+/).join(' ')).toContain(hint)
})

const hasScript = spawnSync('script', ['--version']).status === 0

/** Runs a command in a terminal of 60 columns. */
const inTerminal = (line: string): string =>
  execFileSync(
    'script',
    ['-qec', `stty cols ${columns} rows 40; ${process.execPath} ${cliPath} ${line}`, '/dev/null'],
    {
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
      env: {
        ...process.env,
        COLUMNS: undefined,
        NO_COLOR: undefined,
        FORCE_COLOR: undefined,
        TERM: 'xterm',
      },
      input: '',
    },
  )

test
  .runIf(hasScript)
  .each([
    'list --clause 4.1',
    'clauses --clause 4.1',
    'coverage --clause 4.1',
    'run local --clause 4.1 --dry-run',
    'explain 4.1-01',
  ])('in a terminal of 60 columns `%s` fits', (line) => {
  const text = inTerminal(line)
  expect(text).toContain('4.1')
  expect(overlong(text)).toEqual([])
})

test('without a terminal a line stays whole: programs read lines', async () => {
  const { stdout } = await runProcess(['list', '--clause', '4.1'], { env: { COLUMNS: undefined } })
  expect(overlong(stdout).length).toBeGreaterThan(0)
  expect(stdout.split('\n').filter((line) => /^\s/.test(line))).toEqual([])
})
