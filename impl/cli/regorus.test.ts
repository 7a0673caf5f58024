import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from './testing/runMain.ts'

let home: string
const file = (name: string): string => join(home, name)

const files = {
  'policy.rego': `package policy

default allow := false

allow if {
	input.value <= data.params.max
	not blocked
}

blocked if input.user in data.blocked

price := to_number("1000000000000000001")
`,
  'params.json': '{"max": 1000000000000000000}',
  'list.yaml': 'blocked: [eve]\nanswer: yes\n',
  'intent.json': '{"value": 1000000000000000001, "user": "bob"}',
  'broken.rego': 'package policy\n\nallow {\n\tinput.x\n}\n',
  'wrong.rego': 'package policy\n\nallow if {\n\tstartwith("a", "b")\n}\n',
  'patch.rego': 'package policy\n\np := json.patch({}, [])\n',
  'errors.rego': 'package policy\n\np := 1 / input.x\n',
  'tree/params/limits.json': '{"max": 5}',
  'tree/policy.rego': 'package policy\n\nmax := data.params.max\n',
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'regorus-'))
  await mkdir(file('tree/params'), { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(file(name), text)
})

afterAll(() => rm(home, { recursive: true }))

const evaluate = (...args: readonly string[]) =>
  runMain(
    'regorus',
    'eval',
    '-d',
    file('policy.rego'),
    '-d',
    `params:${file('params.json')}`,
    ...args,
  )

describe('polgate regorus eval', () => {
  it('prints the JSON result of OPA, with exact integers', async () => {
    const { code, stdout, stderr } = await evaluate('-i', file('intent.json'), 'data.policy.allow')
    expect(JSON.parse(stdout)).toEqual({
      result: [
        {
          expressions: [{ value: false, text: 'data.policy.allow', location: { row: 1, col: 1 } }],
        },
      ],
    })
    expect([code, stderr]).toEqual([0, ''])
    const price = await evaluate('x := data.policy.price')
    expect(price.stdout).toContain('"x": 1000000000000000001')
  })

  it('merges JSON and YAML data files, placing those of a directory at the path of their folders', async () => {
    const eve = ['--input-json', '{"value": 1, "user": "eve"}', '--format', 'pretty']
    const list = file('list.yaml')
    expect((await evaluate('-d', list, ...eve, 'data.policy.allow')).stdout).toBe('false\n')
    expect((await evaluate(...eve, 'data.policy.allow')).stdout).toBe('true\n')
    expect((await evaluate('-d', list, ...eve, 'data.answer')).stdout).toBe('true\n')
    const tree = await runMain(
      'regorus',
      'eval',
      '-d',
      file('tree'),
      'data.policy.max',
      '--format',
      'pretty',
    )
    expect(tree.stdout).toBe('5\n')
  })

  it('refuses conflicting data and missing files', async () => {
    const twice = await evaluate(
      '-d',
      `params:${file('params.json')}`,
      'data',
      '-d',
      `params:${file('intent.json')}`,
    )
    expect(twice.code).toBe(0)
    const clash = await evaluate('-d', `params.max:${file('list.yaml')}`, 'data')
    expect(clash.code).toBe(2)
    expect(clash.stderr).toContain('data.params.max already has a value from another file')
    const gone = await evaluate('-d', file('nothing.rego'), 'data')
    expect(gone).toMatchObject({ code: 2, stdout: '' })
    expect(gone.stderr).toContain('nothing.rego does not exist')
    const broken = await evaluate('--input-json', '{"a": 1,}', 'data')
    expect(broken.stderr).toMatch(/--input-json: .*\n.*row 1, column 9/)
  })

  it('exits 0 for undefined, and 1 with --fail', async () => {
    expect(await evaluate('data.policy.blocked')).toMatchObject({ code: 0, stdout: '{}\n' })
    expect((await evaluate('data.policy.blocked', '--fail')).code).toBe(1)
    expect((await evaluate('data.policy.allow', '--fail')).code).toBe(1)
    expect((await evaluate('data.policy.price', '--fail')).code).toBe(0)
  })

  it('suggests a rule with a similar name', async () => {
    const { stdout, stderr } = await evaluate('data.policy.alow')
    expect(stdout).toBe('{}\n')
    expect(stderr).toContain('unknown rule data.policy.alow; did you mean data.policy.allow?')
  })

  it('fails on an error in a built-in unless --non-strict', async () => {
    const args = [
      'regorus',
      'eval',
      '-d',
      file('errors.rego'),
      '--input-json',
      '{"x": 0}',
      'data.policy.p',
    ]
    const strict = await runMain(...args)
    expect(strict.code).toBe(2)
    expect(JSON.parse(strict.stdout).errors[0]).toMatchObject({
      code: 'eval_builtin_error',
      location: { row: 3 },
    })
    expect(await runMain(...args, '--non-strict')).toMatchObject({ code: 0, stdout: '{}\n' })
  })

  it('prints errors with line, caret and suggestion', async () => {
    const old = await runMain(
      'regorus',
      'eval',
      '-d',
      file('broken.rego'),
      'data',
      '--format',
      'pretty',
    )
    expect(old).toMatchObject({ code: 2, stdout: '' })
    expect(old.stderr).toContain('3 | allow {\n')
    expect(old.stderr).toContain(
      'help: Rego v1 requires the keyword if before the body: allow if {',
    )
    const wrong = await runMain('regorus', 'eval', '-d', file('wrong.rego'), 'data')
    expect(wrong.stderr).toMatch(/4 \| {5}startwith\("a", "b"\)\n {2}\| {5}\^{9}\n/)
    expect(wrong.stderr).toContain('did you mean startswith?')
    expect(JSON.parse(wrong.stdout).errors[0].code).toBe('rego_type_error')
  })

  it('has the built-ins of the service, and more with --capabilities and a warning', async () => {
    const args = [
      'regorus',
      'eval',
      '-d',
      file('patch.rego'),
      'data.policy.p',
      '--format',
      'pretty',
    ]
    const service = await runMain(...args)
    expect(service.code).toBe(2)
    expect(service.stderr).toContain(
      'the service does not have this built-in; use --capabilities opa-1.2',
    )
    const wide = await runMain(...args, '--capabilities', 'opa-1.2')
    expect(wide).toMatchObject({ code: 0, stdout: '{}\n' })
    expect(wide.stderr).toMatch(/warning: the service does not have json\.patch .*patch\.rego:3:6/)
    const none = await runMain(...args, '--capabilities', 'servic')
    expect(none).toMatchObject({ code: 2 })
    expect(none.stderr).toContain('Did you mean service?')
  })

  it('answers as the engine of the profile (decision R14)', async () => {
    await writeFile(file('image.rego'), 'package a\n\np if not startswith(input.image, "x")\n')
    const args = ['regorus', 'eval', '-d', file('image.rego'), '--input-json', '{}', 'data.a.p']
    const service = await runMain(...args)
    expect(JSON.parse(service.stdout).result[0].expressions[0].value).toBe(true)
    const opa = await runMain(...args, '--capabilities', 'opa-1.2')
    expect(JSON.parse(opa.stdout)).toEqual({})
  })

  it('explains, profiles and measures coverage', async () => {
    const args = [
      '-i',
      file('intent.json'),
      'data.policy.allow',
      '--explain',
      '--profile',
      '--coverage',
    ]
    const { stdout, stderr, code } = await evaluate(...args)
    const answer = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(answer.coverage.files[file('policy.rego')].not_covered).toContainEqual({
      start: { row: 7 },
      end: { row: 7 },
    })
    expect(answer.profile).toContainEqual(
      expect.objectContaining({ num_eval: 1, num_pass: 0, text: 'input.value <= data.params.max' }),
    )
    expect(stderr).toContain('data.policy.allow has its default value')
    expect(stderr).toContain('✗ input.value <= data.params.max')
    expect(stderr).toContain('input.value = 1000000000000000001')
    const pretty = await evaluate(...args, '--format', 'pretty')
    expect(pretty.stdout).toContain('lines never evaluated')
    expect(pretty.stdout).toContain('✗ input.value <= data.params.max')
  })

  it('fails if coverage is below the threshold', async () => {
    expect((await evaluate('data.policy.price', '--threshold', '100')).code).toBe(1)
    expect((await evaluate('data.policy.price', '--threshold', '10')).code).toBe(0)
    expect((await evaluate('data.policy.price', '--threshold', 'many')).code).toBe(2)
  })

  it('aborts an evaluation after the timeout', async () => {
    const query =
      'count([1 | some x in numbers.range(1, 100000); some y in numbers.range(1, 100000); x < y])'
    const { code, stdout } = await runMain('regorus', 'eval', query, '--timeout', '50')
    expect(code).toBe(2)
    expect(JSON.parse(stdout).errors[0].code).toBe('eval_cancel_error')
  })
})

describe('polgate regorus parse and lex', () => {
  it('prints the syntax tree, or the error with exit code 1', async () => {
    const good = await runMain('regorus', 'parse', file('policy.rego'))
    const tree = JSON.parse(good.stdout)
    expect(tree.package.path).toHaveLength(2)
    expect(tree.rules).toHaveLength(4)
    expect(good.code).toBe(0)
    const list = await runMain('regorus', 'parse', file('policy.rego'), '--format', 'pretty')
    expect(list.stdout.split('\n').slice(0, 3)).toEqual([
      'package policy',
      '  default allow  row 3',
      '  allow  row 5',
    ])
    const bad = await runMain('regorus', 'parse', file('broken.rego'))
    expect(bad.code).toBe(1)
    expect(JSON.parse(bad.stdout).errors[0]).toMatchObject({
      code: 'rego_parse_error',
      location: { row: 3 },
    })
  })

  it('prints tokens with their positions', async () => {
    const { stdout } = await runMain('regorus', 'lex', file('policy.rego'))
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      '1:1\tpackage',
      '1:9\tidentifier\t"policy"',
      '3:1\tdefault',
      '3:9\tidentifier\t"allow"',
    ])
    const { stdout: json } = await runMain(
      'regorus',
      'lex',
      file('policy.rego'),
      '--format',
      'json',
    )
    expect(JSON.parse(json)[1]).toEqual({ kind: 'identifier', text: 'policy', row: 1, col: 9 })
  })
})
