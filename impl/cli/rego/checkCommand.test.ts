import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMain } from '../testing/runMain.ts'
import { startProcess } from '../testing/runProcess.ts'

let home: string
const file = (name: string): string => join(home, name)

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'check-'))
  await writeFile(file('good.rego'), 'package a\n\nallow if input.x\n')
  await writeFile(file('bad.rego'), 'package b\n\np if x\n\nq if missing(1)\n')
  await writeFile(file('syntax.rego'), 'package c\n\np := 1 + * 2\n')
  await writeFile(file('types.rego'), 'package d\n\np := upper(1)\n')
  await writeFile(file('patch.rego'), 'package e\n\np := json.patch(input, [])\n')
})
afterAll(() => rm(home, { recursive: true }))

const check = (...args: readonly string[]) => runMain('rego', 'check', ...args)

test('policies without errors', async () => {
  expect(await check(file('good.rego'))).toEqual({
    code: 0,
    stdout: '1 file checked: no errors\n',
    stderr: '',
  })
  expect(JSON.parse((await check(file('good.rego'), '--json')).stdout)).toEqual({
    files: 1,
    errors: [],
  })
})

test('a function that is compared with its declaration is a warning, with the text to write', async () => {
  const text = 'function transfer(address to, uint value) external returns (bool)'
  const name = file('signature.rego')
  const rule = `allow if input.decoded_function_signature == "${text}"`
  await writeFile(name, `package a\n\n${rule}\n`)
  const { code, stderr } = await check(name)
  expect(code).toBe(0)
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`is never "${text}"`)
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain('help: write "transfer(address,uint256)"')
  await writeFile(name, `package a\n\n${rule} # lint:ignore function-text\n`)
  expect(await check(name)).toMatchObject({ code: 0, stderr: '' })
  await rm(name)
})

test('text: the lines of all errors, with suggestions', async () => {
  const { code, stdout, stderr } = await check(file('good.rego'), file('bad.rego'))
  expect([code, stderr]).toEqual([1, ''])
  expect(stdout).toContain(`rego_unsafe_var_error: var x is unsafe
 --> ${file('bad.rego')}:3:6
3 | p if x
  |      ^
  help: assign it in this body first`)
  expect(stdout).toContain('undefined function missing')
  expect(stdout).toContain('2 files checked: 2 errors\n')
})

test.each([
  ['syntax.rego', 'rego_parse_error', 3, 10, 11],
  ['types.rego', 'rego_type_error', 3, 6, 11],
  ['bad.rego', 'rego_unsafe_var_error', 3, 6, 7],
])('--json: the code and the place of %s', async (name, code, row, col, end) => {
  const ran = await check(file('good.rego'), file(name), '--json')
  const { files, errors } = JSON.parse(ran.stdout)
  expect([ran.code, ran.stderr, files]).toEqual([1, '', 2])
  expect(errors[0]).toEqual({
    code,
    message: expect.any(String),
    location: { file: file(name), row, col, end: { row, col: end } },
  })
})

test('syntax errors of every file', async () => {
  const { stdout } = await check(home, '--json')
  expect(JSON.parse(stdout)).toMatchObject({ files: 5, errors: [{ code: 'rego_parse_error' }] })
})

test('--max-errors', async () => {
  const { stdout } = await check(file('bad.rego'), '--json', '-m', '1')
  expect(JSON.parse(stdout)).toMatchObject({
    errors: [{ code: 'rego_unsafe_var_error' }],
    more: true,
  })
  expect((await check(file('bad.rego'), '-m', '1')).stdout).toContain('1 error, and more')
})

test('opa check has the built-ins of OPA and its option for JSON', async () => {
  expect((await check(file('patch.rego'))).stdout).toContain('use --capabilities opa-1.2')
  expect((await runMain('opa', 'check', file('patch.rego'))).code).toBe(0)
  const { stderr } = await runMain('opa', 'check', file('bad.rego'), '--format', 'json')
  // As in OPA, those of the first stage that has some.
  expect(JSON.parse(stderr).errors).toHaveLength(1)
})

test('stdin', async () => {
  const { child, ended } = startProcess(['rego', 'check', '-', '--json'], { stdio: 'pipe' })
  child.stdin?.end('package a\n\np if x\n')
  const { code, stdout } = await ended
  expect([code, JSON.parse(stdout).errors[0].location.file]).toEqual([1, 'stdin'])
})

test.each([
  [['none.rego'], 'does not exist'],
  [['-m', '0', 'good.rego'], '--max-errors takes a number from 1 to 10000, not "0"'],
  [['--capabilities', 'opa-1.3', 'good.rego'], 'Did you mean opa-1.2?'],
  [[], "missing required argument 'path'"],
])('bad input %j', async (args, message) => {
  const { code, stdout, stderr } = await check(
    ...args.map((arg) => (arg.endsWith('.rego') ? file(arg) : arg)),
  )
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
})
