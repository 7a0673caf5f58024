import { execFileSync, spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { stackDescription } from 'polgate-conformance/targets/stackDescription.fixture.ts'
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
