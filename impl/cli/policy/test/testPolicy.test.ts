import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { XmlDocument } from 'libxml2-wasm'
import { componentFor } from 'polgate-fixtures/hostNames.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runMain } from '../../testing/runMain.ts'

const acme = { witPackage: 'acme:provider', regoNamespace: 'acme' }

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
let scratch: string
let folder: string
let count = 0
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'svc-policy-test-'))
})
afterAll(() => rm(scratch, { recursive: true }))
/** A package with two oracles, whose tests pass. */
beforeEach(async () => {
  count += 1
  folder = join(scratch, `package-${count}`)
  await cp(at('../../templates/multi-oracle'), folder, { recursive: true })
})

async function edit(name: string, from: string | RegExp, to: string): Promise<void> {
  const path = join(folder, name)
  const text = await readFile(path, 'utf8')
  const changed = text.replace(from, to)
  if (changed === text) throw new Error(`${name} has no ${from}`)
  await writeFile(path, changed)
}
const write = (name: string, text: string) => writeFile(join(folder, name), text)

const ran = (...more: string[]) => runMain('policy', 'test', folder, ...more)
async function reported(...more: string[]) {
  const { code, stdout } = await ran('--json', ...more)
  return { code, report: JSON.parse(stdout) }
}

/** A policy that fails open: an address counts as not listed when the screening service does not answer. */
const failsOpen = () =>
  edit('policy.rego', 'deny contains "sanctions screening failed" if not screened\n', '')

describe('polgate policy test', { timeout: 120_000 }, () => {
  test('a policy that allows what it could not check fails, with the failure that shows it', async () => {
    await failsOpen()
    await write('cases.yaml', 'cases:\n  - name: small\n    expect: allow\n')
    await edit('policy.yaml', 'tests: [policy_test.rego]\n', '')
    const { code, report } = await reported()
    expect(code).toBe(1)
    const open = report.failOpen.filter(({ failsOpen: each }: { failsOpen: boolean }) => each)
    expect(new Set(open.map(({ host }: { host: string }) => host))).toEqual(
      new Set(['sanctions.example.com']),
    )
    expect(new Set(open.map(({ mode }: { mode: string }) => mode))).toEqual(
      new Set(['down', 'slow', 'garbage']),
    )
    const text = await ran()
    expect(text.code).toBe(1)
    expect(text.stdout).toContain('FAIL  small: sanctions.example.com cuts the connection → allow')
    expect(text.stdout).toContain('failing hosts   9 of 18 allowed')
    expect(text.stdout.trimEnd().endsWith('FAIL')).toBe(true)
  })

  test('unless the case says so, for these failures only', async () => {
    await failsOpen()
    const cases = (modes: string) =>
      `cases:\n  - name: small\n    expect: allow\n    allowsDespite: { sanctions.example.com: [${modes}] }\n`
    await edit('policy.yaml', 'tests: [policy_test.rego]\n', '')
    await write('cases.yaml', cases('down, slow, garbage'))
    expect((await ran()).code).toBe(0)
    await write('cases.yaml', cases('down, slow'))
    const { code, report } = await reported()
    expect(code).toBe(1)
    const open = report.failOpen.filter(({ failsOpen: each }: { failsOpen: boolean }) => each)
    expect(new Set(open.map(({ mode }: { mode: string }) => mode))).toEqual(new Set(['garbage']))
  })

  test.each([
    ['allow', 'expected allow, but it is denied: value exceeds the limit'],
    ['{ deny: [other] }', 'the reason is missing: other; a reason more: value exceeds the limit'],
    ['{ deny: [] }', 'a reason more: value exceeds the limit'],
    ['{ fails: x }', 'expected a failure with "x", but it is denied'],
    ['deny', undefined],
  ])('a denied case that expects %s', async (expected, problem) => {
    await edit('policy.yaml', 'tests: [policy_test.rego]\n', '')
    await write(
      'cases.yaml',
      `cases:\n  - name: large\n    params: { max_usd: 1 }\n    expect: ${expected}\n`,
    )
    const { code, report } = await reported()
    expect(code).toBe(problem === undefined ? 0 : 1)
    if (problem === undefined) expect(report.cases[0].problem).toBeNull()
    else expect(report.cases[0].problem).toContain(problem)
  })

  test('only mocks and allowed hosts are asked; what no mock answers is shown', async () => {
    await edit('policy.yaml', 'tests: [policy_test.rego]\n', '')
    await edit('policy.yaml', 'allowedHosts: [prices.example.com]', 'allowedHosts: [x.example.com]')
    await write(
      'cases.yaml',
      'cases:\n  - name: small\n    expect: { deny: [price feed failed, sanctions screening failed] }\n',
    )
    await write(
      'mocks.yaml',
      'hosts:\n  prices.example.com: { /other: { json: 1 } }\n  sanctions.example.com: { /x: { json: 1 } }\n',
    )
    const { code, report } = await reported()
    expect({ code, unanswered: report.cases[0].unanswered }).toEqual({
      code: 0,
      unanswered: [expect.stringContaining('GET https://sanctions.example.com/v1/addresses/0x')],
    })
  })

  test('the guard of the service holds for mocks: a private address is refused', async () => {
    await edit('policy.yaml', 'tests: [policy_test.rego]\n', '')
    const source = 'oracles/sanctions.js'
    const text = await readFile(join(folder, source), 'utf8')
    await write(source, text.replace('https://sanctions.example.com', 'http://169.254.169.254'))
    await edit(
      'policy.yaml',
      'allowedHosts: [sanctions.example.com]',
      'allowedHosts: ["169.254.169.254"]',
    )
    await write('mocks.yaml', 'hosts: { 169.254.169.254: { "*": { json: { listed: false } } } }\n')
    await write(
      'cases.yaml',
      'cases:\n  - name: small\n    expect: { deny: [price feed failed, sanctions screening failed] }\n',
    )
    expect(await ran()).toMatchObject({ code: 0 })
  })

  test('a failing Rego test, coverage below the threshold, and JUnit', async () => {
    await edit(
      'policy_test.rego',
      'test_no_output_is_denied if {',
      'test_wrong if false\n\ntest_no_output_is_denied if {',
    )
    await edit('cases.yaml', 'expect: allow', 'expect: deny')
    const junit = join(folder, 'junit.xml')
    const { code, stdout } = await ran('--junit', junit)
    expect(code).toBe(1)
    expect(stdout).toContain('FAIL  data.policy_test.test_wrong')
    expect(stdout).toContain('expected deny, but it is allowed')
    const document = XmlDocument.fromString(await readFile(junit, 'utf8'))
    const attribute = (name: string) =>
      document.find(`//testsuite/@${name}`).map(({ content }) => Number(content))
    expect(attribute('failures')).toEqual([1, 1, 0])
    expect(attribute('tests')).toEqual([10, 13, 36])
    document.dispose()
  })

  test('coverage counts tests and cases; deny rules count only in cases', async () => {
    await edit('cases.yaml', /cases:[\s\S]*/, 'cases:\n  - name: small\n    expect: allow\n')
    const held = await reported()
    expect(held.report.coverage.percent).toBe(100)
    expect(held.code).toBe(0)
    expect(held.report.coverage.denyRules.map((rule: { held: boolean }) => rule.held)).toEqual([
      ...[false, false, false, false, false, false],
    ])
    await edit('policy.yaml', 'tests: [policy_test.rego]\n', '')
    const low = await ran('--threshold', '95')
    expect(low.code).toBe(1)
    expect(low.stderr).toMatch(/error: [\d.]+ % of the lines are covered, 95 % are required/)
  })

  test('warnings: unread, missing and misplaced parameters, unknown oracles', async () => {
    const ids = async () => {
      const { report } = await reported()
      return report.warnings.map(({ id, message }: { id: string; message: string }) => [
        id,
        message,
      ])
    }
    await edit('policy.yaml', 'paramsSchema: params.schema.json\n', '')
    await edit('policy.yaml', /tests: .*\n/, '')
    await write('cases.yaml', 'cases:\n  - name: any\n    expect: deny\n')
    await write('params.json', '{ "symbol": "ETH", "max_usd": 5000, "max_eur": 1 }')
    expect(await ids()).toEqual([
      ['unread-param', 'no rule of the policy reads data.params.max_eur'],
    ])
    await write('params.json', '{ "params": { "symbol": "ETH", "max_usd": 5000 } }')
    expect(await ids()).toContainEqual([
      'missing-param',
      'the policy reads data.params.symbol, but params.json does not give it',
    ])
    const { stdout } = await ran()
    expect(stdout).toContain('are the parameters below another member, as in a manifest?')
    await edit('policy.yaml', '- id: sanctions', '- id: sanction')
    expect(await ids()).toContainEqual([
      'missing-oracle',
      'the policy reads data.wasm.sanctions, but no oracle has this id',
    ])
  })

  test('what looks like a Rego test and is not run is named', async () => {
    await edit('policy.yaml', /cases: .*\n/, '')
    await write('policy_test.rego', 'package policy_test\n\ntest_a if true\n\ntestOpen if false\n')
    const { code, report } = await reported()
    expect([code, report.warnings]).toEqual([
      0,
      [expect.objectContaining({ id: 'test-not-run', place: 'policy_test.rego:5:1' })],
    ])
    expect((await ran()).stdout).toContain('testOpen looks like a test and is not run')
  })

  test('a policy that restricts no target is named, unless its client does', async () => {
    const found = async () => {
      const { report } = await reported()
      return report.warnings
        .filter(({ id }: { id: string }) => id === 'unrestricted-target')
        .map(({ place }: { place: string }) => basename(place))
    }
    await edit('policy.yaml', /tests: .*\n/, '')
    await edit('policy.yaml', 'policy.allow', 'policy.main')
    await write('cases.yaml', 'cases:\n  - name: any\n    expect: deny\n')
    const policy = await readFile(join(folder, 'policy.rego'), 'utf8')
    await write('policy.rego', `${policy}\nmain if within_limit\n`)
    const row = policy.split('\n').length + 1
    expect(await found()).toEqual([`policy.rego:${row}:1`])
    await edit('policy.yaml', 'client:\n', 'client:\n  restrictsTarget: pays one token only\n')
    expect(await found()).toEqual([])
    await edit('policy.yaml', 'restrictsTarget: pays one token only', 'restrictsTarget: true')
    expect((await ran()).stderr).toMatch(/policy\.yaml:\d+:\d+ client.*restrictsTarget/)
  })

  test('an oracle that swallows the failure of its host is named', async () => {
    const source = 'oracles/sanctions.js'
    const text = await readFile(join(folder, source), 'utf8')
    await write(
      source,
      text.replace(
        'sanctions: { error: textOf(error) }',
        'sanctions: { address: JSON.parse(input).address, listed: false }',
      ),
    )
    await edit('policy.yaml', /tests: .*\n/, '')
    await write('cases.yaml', 'cases:\n  - name: small\n    expect: allow\n')
    const { code, report } = await reported()
    expect(code).toBe(1)
    expect(report.warnings).toContainEqual(
      expect.objectContaining({
        id: 'swallowed-failure',
        message: expect.stringContaining('sanctions.example.com cuts the connection'),
      }),
    )
  })

  test('secrets of a case: others, unfit ones, none', async () => {
    await edit('policy.yaml', /tests: .*\n/, '')
    const secrets = (text: string) => `    secrets: { price_feed: ${text} }\n`
    await write(
      'cases.yaml',
      [
        'cases:',
        `  - name: others\n${secrets('{ PRICE_API_KEY: another-key }')}    expect: allow`,
        `  - name: unfit\n${secrets('{ PRICE_API_KEY: short }')}    expect: { fails: PRICE_API_KEY }`,
        `  - name: fewer\n${secrets('{ PRICE_API_KEY: null }')}    expect: { fails: PRICE_API_KEY }`,
        `  - name: none\n${secrets('null')}    expect: { fails: secrets }`,
        '  - name: those of the package again\n    expect: allow\n',
      ].join('\n'),
    )
    const { code, report } = await reported()
    const problems = report.cases.map(({ problem }: { problem: string | null }) => problem)
    expect({ code, problems }).toEqual({ code: 0, problems: [null, null, null, null, null] })
    const { error } = report.cases[1]
    expect(error).not.toContain('short')
  })

  test('arguments that do not fit their schema may be refused, but not allowed', async () => {
    await edit('policy.yaml', /tests: .*\n/, '')
    await write(
      'cases.yaml',
      [
        'cases:',
        '  - { name: none, wasmArgs: { price_feed: {} }, expect: deny }',
        '  - { name: more, wasmArgs: { price_feed: { symbol: ETH, more: 1 } }, expect: allow }\n',
      ].join('\n'),
    )
    const { code, report } = await reported()
    expect(code).toBe(1)
    expect(report.cases[0].problem).toBeNull()
    expect(report.cases[1].problem).toBe(
      'it is allowed, but wasmArgs of price_feed do not fit their schema: they must NOT have additional properties',
    )
  })

  test.each([
    ['of another host interface', async () => componentFor(acme, await buildOracle('price'))],
    ['without an interface', async () => Buffer.from('\0asm\x0d\0\x01\0')],
    ['that is not a component', async () => Buffer.from('text')],
  ])('a component file %s fails the tests of the policy alone too', async (_, component) => {
    await edit('policy.yaml', /\ncases: .*\n/, '\n')
    await edit('policy.yaml', /source: .*sanctions.*/, 'source: sanctions.wasm')
    await writeFile(join(folder, 'sanctions.wasm'), await component())
    const { code, report } = await reported()
    expect(code).toBe(1)
    expect(report.problems).toEqual([expect.stringContaining('sanctions')])
    expect(report.problems[0]).toMatch(
      /is not available|does not export run|not a WebAssembly component/,
    )
  })

  test('--watch tests again after a change, until it is interrupted', async () => {
    const { watching } = await import('./watching.fixture.ts')
    const watched = watching(['policy', 'test', folder, '--watch'])
    try {
      await watched.printed(/^PASS$/m)
      await edit('cases.yaml', 'expect: allow', 'expect: deny')
      await watched.printed(/^FAIL$/m)
      await write('cases.yaml', 'cases: [')
      await watched.printed(/is not valid YAML/)
    } finally {
      expect(await watched.interrupt()).toBe(0)
    }
  })
})

describe('what cannot run exits with 2', () => {
  test.each([
    ['no package', async () => rm(join(folder, 'policy.yaml')), 'has no policy.yaml'],
    [
      'nothing to test',
      async () => edit('policy.yaml', /tests: .*\ncases: .*\n/, ''),
      'names no tests and no cases',
    ],
    [
      'a policy that does not compile',
      async () => edit('policy.rego', 'default allow := false', 'default allow :='),
      'rego_parse_error',
    ],
    [
      'an unknown oracle in a case',
      async () =>
        write('cases.yaml', 'cases:\n  - name: a\n    wasmArgs: { x: {} }\n    expect: allow\n'),
      'cases.yaml:3:17 unknown oracle x',
    ],
    [
      'secrets of an unknown oracle',
      async () =>
        write('cases.yaml', 'cases:\n  - name: a\n    secrets: { x: null }\n    expect: allow\n'),
      'cases.yaml:3:16 unknown oracle x',
    ],
    [
      'secrets of an oracle that has none',
      async () => {
        await edit('policy.yaml', / {4}secretsSchema: .*sanctions.*\n {4}testSecrets: .*\n/, '')
        await write(
          'cases.yaml',
          'cases:\n  - name: a\n    secrets: { sanctions: null }\n    expect: allow\n',
        )
      },
      'oracle sanctions has secrets but no secretsSchema',
    ],
    [
      'arguments of the package that do not fit their schema',
      async () => write('oracles/price_feed.args.json', '{ "symbol": "" }'),
      'price_feed.args.json: wasmArgs of price_feed do not fit their schema: /symbol must NOT have fewer',
    ],
    [
      'an invalid schema of arguments',
      async () => write('oracles/price_feed.args.schema.json', '{ "type": "text" }'),
      'price_feed.args.schema.json: ',
    ],
    [
      'two cases with one name',
      async () =>
        write(
          'cases.yaml',
          'cases:\n  - { name: a, expect: allow }\n  - { name: a, expect: deny }\n',
        ),
      'cases.yaml:3:7 two cases are named "a"',
    ],
    [
      'an invalid expectation',
      async () => write('cases.yaml', 'cases:\n  - { name: a, expect: allowed }\n'),
      'cases.yaml:2:16 cases[0].expect must be',
    ],
    [
      'an invalid reply',
      async () => write('mocks.yaml', 'hosts: { a.example: { /x: { status: 99 } } }\n'),
      'mocks.yaml:1:29 hosts.a.example./x.status must be >= 200',
    ],
    [
      'a recording that is missing',
      async () => write('mocks.yaml', 'exchanges: [none.yaml]\n'),
      'none.yaml cannot be read',
    ],
  ])('%s', async (_, change, text) => {
    await change()
    const { code, stdout, stderr } = await ran()
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(text)
  })
})
