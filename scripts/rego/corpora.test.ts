import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { differences, errorOutcomes, testOutcomes, valueOutcomes } from './corpora/compared.ts'
import { findOpa } from './opa.ts'

const opa = findOpa()
let home: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'corpora-'))
  await mkdir(join(home, 'repository/own'), { recursive: true })
  const write = (name: string, text: string) => writeFile(join(home, name), text)
  await write(
    'repository/a.rego',
    'package a\n\nallow if input.x == 1\n\ndeny contains "none" if not input.x\n',
  )
  await write(
    'repository/a_test.rego',
    'package a_test\n\nimport data.a\n\ntest_a if a.allow with input as {"x": 1}\n\ntest_b if a.allow\n',
  )
  await write('repository/own/b.rego', 'package b\n\np := own.find("a")\n')
  await write('repository/own/bad.rego', 'package bad\n\np if p\n')
  const decl = { type: 'function', args: [{ type: 'string' }], result: { type: 'any' } }
  const names = ['eq', 'equal', 'assign', 'internal.member_2']
  const any = {
    type: 'function',
    args: [{ type: 'any' }, { type: 'any' }],
    result: { type: 'boolean' },
  }
  const infix: Readonly<Record<string, string>> = { eq: '=', equal: '==', assign: ':=' }
  const builtins = names.map((name) => ({
    name,
    decl: any,
    ...(infix[name] ? { infix: infix[name] } : {}),
  }))
  await write(
    'repository.capabilities.json',
    JSON.stringify({ builtins: [...builtins, { name: 'own.find', decl }], features: ['rego_v1'] }),
  )
})

afterAll(() => rm(home, { recursive: true }))

const run = (env: NodeJS.ProcessEnv, ...args: readonly string[]) =>
  new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      const script = fileURLToPath(new URL('corpora.ts', import.meta.url))
      const child = execFile(
        process.execPath,
        ['--import', 'tsx', script, ...args],
        { env: { ...process.env, ...env } },
        (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      )
    },
  )

test.skipIf(opa === undefined)(
  'a repository with refused policies and built-ins of its own has no difference',
  async () => {
    const { code, stdout, stderr } = await run({}, home)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(
      /repository: 4 policies \(1 refused by opa\), 2 suites.*2 tests; 2 packages; fmt 4\/4.*no difference/,
    )
  },
)

test('without opa it says so, and without a folder how it is used', async () => {
  expect(await run({ OPA: '/nowhere/opa' }, home)).toMatchObject({
    ...{ code: 0, stdout: expect.stringContaining('not compared: no opa') },
  })
  expect(await run({}, join(home, 'missing'))).toMatchObject({ code: 2 })
  expect(await run({})).toMatchObject({ code: 2, stderr: expect.stringContaining('usage:') })
})

test('other outcomes, missing tests and cases, errors and values are differences', () => {
  const location = { file: 'a_test.rego', row: 3 }
  const result = (name: string, more: object = {}) => ({
    location,
    package: 'data.a',
    name,
    ...more,
  })
  const outcomes = (...all: readonly object[]) => testOutcomes(JSON.stringify(all))
  const cases = (fail: boolean) => ({ fail, sub_results: { one: fail ? { fail } : {} } })
  const here = outcomes(result('test_a', { fail: true }), result('test_c', cases(false)))
  const theirs = outcomes(
    result('test_a'),
    result('test_b', { skip: true }),
    result('test_c', cases(true)),
  )
  expect(differences(theirs, here, 'no test')).toEqual([
    'a_test.rego:3 data.a.test_a: pass, here fail',
    'a_test.rego:3 data.a.test_b: skip, here no test',
    'a_test.rego:3 data.a.test_c: fail, here pass',
    'a_test.rego:3 data.a.test_c/one: fail, here pass',
  ])
  const errors = (...codes: readonly string[]) =>
    errorOutcomes(
      JSON.stringify({ errors: codes.map((code) => ({ code, location: { file: 'a.rego' } })) }),
    )
  expect(differences(errors('x', 'y', 'y'), errors('y', 'x'), 'valid')).toEqual([])
  expect(differences(errors('x'), errors(), 'valid')).toEqual(['a.rego: x, here valid'])
  const values = (value: unknown) =>
    valueOutcomes(JSON.stringify({ result: [{ expressions: [{ value: { a: value } }] }] }))
  expect(differences(values([1]), values([1]), 'undefined')).toEqual([])
  expect(differences(values([1]), values([]), 'undefined')).toEqual(['a: [1], here []'])
})
