import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandGroups } from './commandDefinition.ts'
import { commands } from './commands.ts'

const cli = fileURLToPath(new URL('./polgate.mjs', import.meta.url))

type Ending = { readonly code: number; readonly stdout: string; readonly stderr: string }

const svc = (...args: string[]): Promise<Ending> =>
  new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })

describe('polgate', () => {
  test.each([
    { args: ['strat'], meant: 'start' },
    { args: ['start', '--prot', '0'], meant: '--port' },
    { args: ['certify', '--sede', '1'], meant: '--seed' },
    { args: ['regorus', 'evla', '1'], meant: 'eval' },
  ])('$args is an error with a suggestion, exit 2', async ({ args, meant }) => {
    const { code, stdout, stderr } = await svc(...args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(`Did you mean ${meant}?`)
  })

  test('help fits a screen; with --all it has every command', async () => {
    const { code, stdout } = await svc('--help')
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(40)
    expect(lines.filter((line) => line.length > 90)).toEqual([])
    for (const group of commandGroups) expect(stdout).toContain(`\n${group}:\n`)
    const whole = (await svc('--help', '--all')).stdout
    for (const name of Object.keys(commands)) expect(whole).toMatch(new RegExp(`^  ${name} `, 'm'))
  })

  test('without arguments it shows a command for each use', async () => {
    const { code, stdout, stderr } = await svc()
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    for (const use of ['init https', 'certify', '--ci github', 'start', 'record'])
      expect(stderr).toMatch(new RegExp(`polgate.* ${use}`))
  })

  test('a usage error points to the help of the command', async () => {
    const { stderr } = await svc('policy', 'simulate', '--nosuch')
    expect(stderr).toContain('(see polgate policy simulate --help)')
  })

  test('help marks repeatable options', async () => {
    const { stdout } = await svc('policy', 'simulate', '--help')
    expect(stdout).toMatch(/--redact-header <name> .*\(repeatable\)/)
    expect(stdout).not.toContain('[]')
  })

  test.each([
    {
      args: ['help', 'strat'],
      says: "unknown command 'strat' (Did you mean start?)",
      see: 'polgate --help',
    },
    {
      args: ['strat', '--help'],
      says: "unknown command 'strat' (Did you mean start?)",
      see: 'polgate --help',
    },
    {
      args: ['start', '--port', 'x'],
      says: "option '--port <number>' argument 'x' is invalid",
      see: 'polgate start --help',
    },
    {
      args: ['start', '--threshold', '9'],
      says: "option '--threshold <number>' argument '9'",
      see: 'polgate start --help',
    },
    {
      args: ['list', '--grep'],
      says: "option '--grep <pattern>' argument missing",
      see: 'polgate list --help',
    },
    { args: ['list', 'extra'], says: "too many arguments for 'list'", see: 'polgate list --help' },
    {
      args: ['certify', '--bail', 'x'],
      says: "option '--bail [failures]' argument 'x'",
      see: 'polgate certify --help',
    },
    {
      args: ['run', '--max-rps', '-1'],
      says: "option '--max-rps <number>' argument '-1'",
      see: 'polgate run --help',
    },
    {
      args: ['merge', 'x'],
      says: "required option '--report-dir <directory>' not specified",
      see: 'polgate merge --help',
    },
    {
      args: ['keys', 'creat'],
      says: "unknown command 'creat' (Did you mean create?)",
      see: 'polgate keys --help',
    },
    {
      args: ['regorus', 'eval'],
      says: "missing required argument 'query'",
      see: 'polgate regorus eval --help',
    },
  ])('$args: one line says what is wrong, one where the help is', async ({ args, says, see }) => {
    const { code, stdout, stderr } = await svc(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`error: ${says}`)
    expect(stderr).toContain(see)
    expect(stderr.trimEnd().split('\n')).toHaveLength(2)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  test.each([
    { args: ['run', 'local', '--workers', '0'], says: "--workers '0' is not a number of threads" },
    { args: ['run', 'local', '--timeout', 'soon'], says: "--timeout 'soon' is not a duration" },
    { args: ['run', 'nosuchtarget'], says: "'nosuchtarget' is not a URL or a target file" },
    { args: ['list', '--clause', '99.9'], says: "--clause '99.9' matches no check" },
    { args: ['list', '--grep', '('], says: "--grep '(' is not a regular expression" },
    { args: ['merge', '/nosuch', '--report-dir', 'x'], says: '/nosuch' },
    { args: ['content', 'add', '/nosuch'], says: 'Cannot read /nosuch' },
    { args: ['serve', '--config', '/nosuch'], says: 'Cannot read /nosuch' },
    { args: ['status', '/nosuch'], says: '/nosuch does not exist' },
    { args: ['status', '--admin', 'x'], says: "--admin 'x' is not a URL" },
    { args: ['status', '--admin', 'http://a:b@127.0.0.1:1'], says: 'contains credentials' },
  ])('$args fails with 2 and without a stack trace', async ({ args, says }) => {
    const { code, stdout, stderr } = await svc(...args)
    expect(code).toBe(2)
    expect(stdout.replace(/^seed \S+\n/, '')).toBe('')
    expect(stderr).toContain(says)
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  test.each(['-V', '--version'])('%s prints the version', async (flag) => {
    expect(await svc(flag)).toEqual({ code: 0, stdout: `${packageVersion}\n`, stderr: '' })
  })

  test.each([
    ['-v', 'list', '--clause', '4.1'],
    ['list', '--clause', '4.1', '--verbose'],
  ])('%s says on stderr what is done', async (...args) => {
    const { code, stdout, stderr } = await svc(...args)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^4\.1 /)
    expect(stderr).toContain(
      `polgate: ${packageVersion} on Node ${process.versions.node}, in ${process.cwd()}`,
    )
    expect(stderr).toMatch(/polgate: exit code 0 after [\d.]+ s\n$/)
  })

  test('an option of the same name that a command has keeps its meaning', async () => {
    const args = ['run', 'local', '--clause', '4.1', '--dry-run']
    expect((await svc(...args, '-v')).stderr).toBe('')
    expect((await svc('-v', ...args)).stderr).toContain('polgate: exit code 0')
  })

  test('help exits 0', async () => {
    const { code, stdout } = await svc('--help')
    expect(code).toBe(0)
    expect(stdout).toContain('Exit codes: 0 success, 1 check failed, 2 could not run.')
  })
})

describe('a closed pipe', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-pipe-'))
    const rules = Array.from({ length: 5_000 }, (_, at) => `rule_${at} := ${at}`)
    await writeFile(join(folder, 'long.rego'), `package long\n\n${rules.join('\n\n')}\n`)
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('ends the command without an error', async () => {
    const child = spawn(process.execPath, [cli, 'regorus', 'lex', join(folder, 'long.rego')])
    const complaint = text(child.stderr)
    const code = new Promise((resolve) => child.once('exit', resolve))
    child.stdout.once('data', () => child.stdout.destroy())
    expect(await code).toBe(0)
    expect(await complaint).toBe('')
  })
})
