import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runMain } from '../testing/runMain.ts'
import { startProcess } from '../testing/runProcess.ts'

const loose = 'package a\np if { input.x }\n'
const tidy = 'package a\n\np if input.x\n'

let home: string
const file = (name: string): string => join(home, name)

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fmt-'))
  await writeFile(file('loose.rego'), loose)
  await writeFile(file('tidy.rego'), tidy)
})
afterEach(() => rm(home, { recursive: true }))

const fmt = (...args: readonly string[]) => runMain('rego', 'fmt', ...args)

/** Runs the command with a text on stdin. */
async function withStdin(text: string, ...args: readonly string[]) {
  const { child, ended } = startProcess(['rego', 'fmt', ...args], { stdio: 'pipe' })
  child.stdin?.end(text)
  return ended
}

test('prints the formatted policies', async () => {
  expect(await fmt(file('loose.rego'))).toEqual({ code: 0, stdout: tidy, stderr: '' })
  expect((await fmt(home)).stdout).toBe(tidy + tidy)
})

test('reads stdin, as - or without a path', async () => {
  const both = await Promise.all([withStdin(loose), withStdin(loose, '-')])
  for (const ended of both) expect(ended).toEqual({ code: 0, stdout: tidy, stderr: '' })
  const { code, stderr } = await withStdin('package a\n\np if {')
  expect(code).toBe(2)
  expect(stderr).toContain('--> stdin:3:7')
})

test('--write replaces the files that are not formatted, with their mode, through links', async () => {
  await chmod(file('loose.rego'), 0o640)
  await mkdir(file('links'))
  await symlink(file('loose.rego'), file('links/a.rego'))
  const before = await stat(file('tidy.rego'))
  expect(await fmt('--write', file('links/a.rego'), file('tidy.rego'))).toMatchObject({
    code: 0,
    stdout: '',
  })
  expect(await readFile(file('loose.rego'), 'utf8')).toBe(tidy)
  expect((await stat(file('loose.rego'))).mode & 0o777).toBe(0o640)
  expect((await stat(file('tidy.rego'))).ino).toBe(before.ino)
  expect((await fmt('--check', home)).code).toBe(0)
})

test('--list and --check name the files; only --check makes them a failure', async () => {
  expect(await fmt('--list', home)).toEqual({
    code: 0,
    stdout: `${file('loose.rego')}\n`,
    stderr: '',
  })
  for (const name of ['--check', '--fail']) {
    const { code, stdout, stderr } = await fmt(name, home)
    expect([code, stdout]).toEqual([1, `${file('loose.rego')}\n`])
    expect(stderr).toContain('1 of 2 policies not formatted; polgate rego fmt --write')
  }
  expect(await fmt('--check', file('tidy.rego'))).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('opa fmt --fail exits 2, also with a list or a difference', async () => {
  const opa = (...args: readonly string[]) => runMain('opa', 'fmt', ...args)
  for (const args of [['--fail'], ['--fail=true', '--list'], [home, '--fail=true', '--diff']])
    expect((await opa(...args, home)).code).toBe(2)
  expect((await opa('--fail=false', '-l', home)).code).toBe(0)
  expect((await opa('--fail', file('tidy.rego'))).code).toBe(0)
  expect(await opa('--rego-v1', '-w', home)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--rego-v1 is not supported'),
  })
})

test('opa fmt --drop-v0-imports', async () => {
  await writeFile(file('old.rego'), 'package a\n\nimport rego.v1\n\np if input.x\n')
  const { stdout } = await runMain('opa', 'fmt', '--drop-v0-imports', file('old.rego'))
  expect(stdout).toBe(tidy)
})

test('--diff shows the changed lines without colours', async () => {
  const { code, stdout } = await fmt('--diff', home)
  expect(code).toBe(0)
  expect(stdout).toBe(`--- ${file('loose.rego')}
+++ ${file('loose.rego')}
@@ -1,2 +1,3 @@
 package a
-p if { input.x }
+
+p if input.x
`)
  expect((await fmt('--diff', '--check', home)).code).toBe(1)
})

test('opa fmt is the same', async () => {
  expect(await runMain('opa', 'fmt', '--list', home)).toEqual(await fmt('--list', home))
})

describe('bad input', () => {
  // Root may read and write everything.
  test.skipIf(process.getuid?.() === 0)(
    'a file that may not be read, or not be written',
    async () => {
      await chmod(file('tidy.rego'), 0)
      expect((await fmt(file('tidy.rego'))).stderr).toContain('may not be read by this user')
      await chmod(home, 0o500)
      const { code, stderr } = await fmt('--write', file('loose.rego'))
      await chmod(home, 0o700)
      expect(code).toBe(2)
      expect(stderr).toContain('cannot be written')
      expect(await readFile(file('loose.rego'), 'utf8')).toBe(loose)
    },
  )

  test('a policy with a syntax error: the others are written', async () => {
    await writeFile(file('bad.rego'), 'package a\n\np := {')
    const { code, stderr } = await fmt('--write', home)
    expect(code).toBe(2)
    expect(stderr).toContain(`--> ${file('bad.rego')}:3:7`)
    expect(stderr).toContain('1 of 3 policies could not be formatted')
    expect(await readFile(file('bad.rego'), 'utf8')).toBe('package a\n\np := {')
    expect(await readFile(file('loose.rego'), 'utf8')).toBe(tidy)
  })

  test.each([
    [['none.rego'], 'none.rego does not exist', undefined],
    [['empty'], 'empty has no policies', 'Policies are .rego files'],
    [['notes.txt'], 'notes.txt is not a policy', 'Policies are .rego files'],
    [['latin.rego'], 'latin.rego is not UTF-8', 'iconv'],
    [['--write', '-'], '--write cannot write to stdin', 'stdout'],
    [['--write', '--check', '.'], '--write and --check exclude each other', '--list'],
    [['--ignore', '*.rego', 'tidy.rego'], '--ignore leaves no policy', 'file names'],
    [[''], 'must not be empty', undefined],
  ])('%j', async (args, message, hint) => {
    await mkdir(file('empty'))
    await writeFile(file('notes.txt'), 'notes')
    await writeFile(file('latin.rego'), Buffer.from('package a\n\n# caf\xe9\n', 'latin1'))
    const paths = args.map((arg) => (/^(-.*|\*.*|)$/.test(arg) ? arg : file(arg)))
    const { code, stdout, stderr } = await fmt(...paths)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr).toContain(hint ?? '')
    expect(String(await readFile(file('latin.rego'), 'latin1'))).toContain('caf\xe9')
  })
})
