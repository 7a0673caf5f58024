import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

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

  test('a usage error points to the help of the command', async () => {
    const { stderr } = await svc('policy', 'simulate', '--nosuch')
    expect(stderr).toContain('(see polgate policy simulate --help)')
  })

  test('help marks repeatable options', async () => {
    const { stdout } = await svc('policy', 'simulate', '--help')
    expect(stdout).toMatch(/--redact-header <name> .*\(repeatable\)/)
    expect(stdout).not.toContain('[]')
  })

  test.each(['--version', '-v'])('%s prints the release alone', async (option) => {
    const { code, stdout } = await svc(option)
    expect(code).toBe(0)
    expect(stdout).toBe(`${packageVersion}\n`)
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
