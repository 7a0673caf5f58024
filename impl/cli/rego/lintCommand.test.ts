import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { LINT_RULES } from 'polgate-rego/lint/rules.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMain } from '../testing/runMain.ts'

const policy = `package pay

default allow := true

allow := false if count(deny) > 0

deny contains "image" if not startswith(input.image, "x/")

deny contains "too much" if input.size > data.params.max
`

const tests = `package pay_test

import data.pay

test_image if "image" in pay.deny with input as {"image": "y/z"}
`

let home: string
const file = (name: string): string => join(home, name)

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lint-'))
  await writeFile(file('pay.rego'), policy)
  await writeFile(file('pay_test.rego'), tests)
  await writeFile(file('params.json'), '{"max": 10, "feed": {"url": "x"}}')
  await writeFile(file('list.json'), '[1]')
  await writeFile(
    file('clean.rego'),
    'package clean\n\ndefault allow := false\n\nallow if input.x\n',
  )
})
afterAll(() => rm(home, { recursive: true }))

const lint = (...args: readonly string[]) => runMain('rego', 'lint', ...args)
const both = (): readonly string[] => [file('pay.rego'), file('pay_test.rego')]

test('text: rule, place, what is wrong, what to do, and how to learn more', async () => {
  const { code, stdout, stderr } = await lint(...both(), '--params', file('params.json'))
  expect([code, stderr]).toEqual([1, ''])
  expect(stdout).toBe(`default-allow ${file('pay.rego')}:3:1
  allow is true by default
  help: write \`default allow := false\`, and make allow true under conditions

undefined-negation ${file('pay.rego')}:7:26
  \`not startswith(input.image, "x/")\` is true if input.image is undefined, but undefined in OPA 1.2
  help: write a rule of its own, on which both agree: \`holds if startswith(input.image, "x/")\`, and here \`not holds\`

untested-deny ${file('pay.rego')}:9:1
  no test expects the reason "too much" of data.pay.deny
  help: add a test in which this rule holds: \`test_... if "too much" in data.pay.deny with input as {...}\`

unread-param parameters
  no rule of the policy reads data.params.feed.url
  help: read it, or remove it from the parameters; is its name the same in both?

2 files searched: 4 findings; polgate rego lint --explain default-allow says why
`)
})

test('nothing found', async () => {
  expect(await lint(file('clean.rego'))).toEqual({
    code: 0,
    stdout: '1 file searched: no findings\n',
    stderr: '',
  })
  expect(JSON.parse((await lint(file('clean.rego'), '--json')).stdout)).toEqual({
    files: 1,
    findings: [],
  })
})

test('--json', async () => {
  const { code, stdout } = await lint(...both(), '--json')
  const { files, findings } = JSON.parse(stdout)
  expect([code, files, findings.length]).toEqual([1, 2, 3])
  expect(findings[0]).toEqual({
    rule: 'default-allow',
    message: 'allow is true by default',
    help: 'write `default allow := false`, and make allow true under conditions',
    location: { file: file('pay.rego'), row: 3, col: 1, end: { row: 3, col: 22 } },
  })
})

test('--sarif', async () => {
  const { code, stdout } = await lint(...both(), '--sarif')
  const [run] = JSON.parse(stdout).runs
  expect([code, run.results.length]).toEqual([1, 3])
  expect(run.results[0].locations[0].physicalLocation.artifactLocation.uri).toMatch(
    /^file:\/\/.*\/pay\.rego$/,
  )
})

test('--rule and --disable', async () => {
  const ids = async (...args: readonly string[]): Promise<string[]> => {
    const { findings } = JSON.parse((await lint(...both(), '--json', ...args)).stdout)
    return findings.map(({ rule }: { readonly rule: string }) => rule)
  }
  expect(await ids('--rule', 'default-allow')).toEqual(['default-allow'])
  expect(await ids('--disable', 'default-allow')).toEqual(['undefined-negation', 'untested-deny'])
  const { code, stderr } = await lint(
    file('pay.rego'),
    '--rule',
    'default-allow',
    '--disable',
    'default-allow',
  )
  expect(code).toBe(2)
  expect(stderr).toContain('--disable leaves no rule')
})

test.each(LINT_RULES)(
  '--explain $id fits 60 columns, but for its examples',
  async ({ id, title }) => {
    const before = process.env.COLUMNS
    process.env.COLUMNS = '60'
    try {
      const { code, stdout } = await lint('--explain', id)
      expect(code).toBe(0)
      expect(stdout.replace(/\s+/g, ' ')).toContain(`${id}: ${title}`)
      expect(stdout).toContain(`# lint:ignore ${id}`)
      const long = stripVTControlCharacters(stdout)
        .split('\n')
        .filter((line) => line.length > 60 && line.trim().includes(' '))
      expect(long).toEqual([])
    } finally {
      if (before === undefined) delete process.env.COLUMNS
      else process.env.COLUMNS = before
    }
  },
)

test('--list-rules', async () => {
  const { code, stdout } = await lint('--list-rules')
  expect(code).toBe(0)
  for (const { id, title } of LINT_RULES) expect(stdout).toContain(`${id.padEnd(24)}${title}`)
})

test.each([
  [['--explain', 'default-alow'], 'Did you mean default-allow?'],
  [['--rule', 'nothing', 'pay.rego'], 'Unknown lint rule nothing'],
  [['--disable', 'untested-den', 'pay.rego'], 'Did you mean untested-deny?'],
  [[], 'No policy to search'],
  [['none.rego'], 'does not exist'],
  [['--json', '--sarif', 'pay.rego'], '--json and --sarif exclude each other'],
  [['--params', 'none.json', 'pay.rego'], 'does not exist'],
  [['--params', 'list.json', 'pay.rego'], 'parameters must be an object'],
])('bad input %j', async (args, message) => {
  const { code, stdout, stderr } = await lint(
    ...args.map((arg) => (/\.(rego|json)$/.test(arg) ? file(arg) : arg)),
  )
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
})

test('policies with errors are not searched', async () => {
  await writeFile(file('bad.rego'), 'package bad\n\nallow if x\n')
  try {
    const { code, stdout, stderr } = await lint(file('bad.rego'))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('var x is unsafe')
    expect(stderr).toContain('The policies have errors')
  } finally {
    await rm(file('bad.rego'))
  }
})
