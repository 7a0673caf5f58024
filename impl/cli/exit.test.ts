import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliPath, startProcess } from './testing/runProcess.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'exit-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Runs a command in a shell that fails with the first part of a pipe. */
const shell = (line: string) =>
  execFileSync('bash', ['-c', `set -o pipefail; ${line}`], {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, POLGATE: `${process.execPath} ${cliPath}` },
  })

test('a reader of a pipe that is slow to begin gets everything', () => {
  const count = `${process.execPath} -e "let s='';process.stdin.on('data',(d)=>{s+=d}).on('end',()=>console.log(JSON.parse(s).length, s.length))"`
  const [checks, bytes] = shell(`$POLGATE list --json | (sleep 2; ${count})`).split(' ').map(Number)
  expect(checks).toBeGreaterThan(1_000)
  expect(bytes).toBeGreaterThan(256 * 1024)
})

test('more than a megabyte arrives through a slow reader, also with a failing exit code', async () => {
  const rules = Array.from({ length: 40_000 }, (_, at) => `rule_${at} := ${at}`)
  writeFileSync(join(directory, 'long.rego'), `package long\n\n${rules.join('\n\n')}\n`)
  const script = `
    import { exit } from ${JSON.stringify(new URL('./exit.ts', import.meta.url).href)}
    process.stdout.write('x'.repeat(3_000_000))
    process.stderr.write('y'.repeat(300_000))
    await exit(3)`
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const code = new Promise((done) => child.once('exit', done))
  await sleep(1_000)
  let [out, err] = [0, 0]
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.length
    child.stdout.pause()
    setTimeout(() => child.stdout.resume(), 5)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.length
  })
  expect(await code).toBe(3)
  await Promise.all(
    [child.stdout, child.stderr].map(
      (each) => each.readableEnded || new Promise((done) => each.once('end', done)),
    ),
  )
  expect([out, err]).toEqual([3_000_000, 300_000])
  const { ended } = startProcess(['regorus', 'lex', 'long.rego'], { cwd: directory })
  const { stdout } = await ended
  expect(stdout.length).toBeGreaterThan(1_000_000)
  expect(stdout).toContain('rule_39999')
})

test.each([
  { args: ['list', '--json'], code: 0 },
  { args: ['list', '--clause', '99'], code: 2 },
])('a reader that closes early does not change the exit code of $args', async ({ args, code }) => {
  const { child, ended } = startProcess(args)
  child.stdout?.once('data', () => child.stdout?.destroy())
  const exit = await new Promise((done) => child.once('exit', done))
  expect(exit).toBe(code)
  if (code === 0) expect((await ended).stderr).toBe('')
})

test('head ends a pipe quietly', () => {
  expect(shell('$POLGATE list --json | head -c 2')).toBe('[\n')
  expect(shell('$POLGATE --help 2>&1 | head -n 1')).toBe('Usage: polgate [options] [command]\n')
})

test('a full disk is one line', async () => {
  const said = execFileSync(
    'bash',
    ['-c', `${process.execPath} ${cliPath} list 2>&1 >/dev/full || echo "code $?"`],
    { encoding: 'utf8' },
  )
  expect(said).toMatch(
    /^error: cannot write to standard output: .*no space left on device.*\ncode 2\n$/,
  )
})

test('only exit.ts ends the process: anything else would lose output', () => {
  const files = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '-z', 'impl/cli', 'conformance'],
    { cwd: root, encoding: 'utf8' },
  )
    .split('\0')
    .filter(
      (path) =>
        /\.(ts|mjs)$/.test(path) &&
        !/\.(test|fixture)\.ts$|^conformance\/self-test\/.*\.process\.ts$/.test(path),
    )
  expect(files).toContain('impl/cli/runStack.ts')
  expect(files).toContain('conformance/commands/certify.ts')
  const ending = files.filter((path) =>
    /\bprocess\s*\.\s*(exit|reallyExit|abort)\s*\(|process\[/.test(
      readFileSync(join(root, path), 'utf8'),
    ),
  )
  expect(ending).toEqual(['impl/cli/exit.ts'])
})
