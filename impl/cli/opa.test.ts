import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from './testing/runMain.ts'

let home: string
const file = (name: string): string => join(home, name)

const policy = `package pay

default allow := false

allow if count(deny) == 0

deny contains "too much" if input.value > data.params.max

deny contains "no asset" if data.wasm.feed.error
`

const passing = `package pay_test

import data.pay

test_clean if pay.allow with input as {"value": 1} with data.params as {"max": 10} with data.wasm as {}

test_deny if {
	print("denied:", pay.deny) with input as {"value": 11} with data.params as {"max": 10}
	pay.deny == {"too much"} with input as {"value": 11} with data.params as {"max": 10}
}

todo_test_later if false
`

const failing = `package pay_test

import data.pay

test_wrong if pay.allow with input as {"value": 11} with data.params as {"max": 10}

test_each[name] if {
	some name, value in {"low": 1, "high": 11}
	pay.allow with input as {"value": value} with data.params as {"max": 10}
}
`

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'opa-'))
  await writeFile(file('policy.rego'), policy)
  await writeFile(file('policy_test.rego'), passing)
  await writeFile(file('failing_test.rego'), failing)
  await writeFile(file('broken_test.rego'), 'package pay_test\ntest_x if {')
})

afterAll(() => rm(home, { recursive: true }))

const test = (...args: readonly string[]) => runMain('opa', 'test', file('policy.rego'), ...args)

describe('polgate opa test', () => {
  it('runs tests with mocks and prints one line per test', async () => {
    const { code, stdout, stderr } = await test(file('policy_test.rego'), '-vz')
    expect(code).toBe(0)
    expect(stderr).toBe('')
    const lines = stdout.replace(/\([\d.]+ms\)/g, '(T)').split('\n')
    expect(lines).toEqual([
      `${file('policy_test.rego')}:`,
      'data.pay_test.test_clean: PASS (T)',
      'data.pay_test.test_deny: PASS (T)',
      '  denied: {"too much"}',
      'data.pay_test.todo_test_later: SKIPPED',
      '-'.repeat(80),
      'PASS: 2/3',
      'SKIPPED: 1/3',
      '',
    ])
  })

  it('exits 2 after a failure, and prints the failed expressions', async () => {
    const { code, stdout } = await test(file('failing_test.rego'))
    expect(code).toBe(2)
    expect(stdout).toMatch(/test_wrong: FAIL/)
    expect(stdout).toContain('✗ pay.allow with input as {"value": 11}')
    expect(stdout).toContain('✗ count(deny) == 0')
    expect(stdout).toContain('  high: FAIL')
    expect(stdout).not.toContain('  low: PASS')
    expect(stdout).toContain('FAIL: 2/2')
  })

  it('exits 1 if tests could not run', async () => {
    const broken = await test(file('broken_test.rego'))
    expect(broken.code).toBe(1)
    expect(broken.stderr).toContain('rego_parse_error')
    const pattern = await test(file('policy_test.rego'), '--run', '(')
    expect([pattern.code, pattern.stderr]).toEqual([1, expect.stringContaining('--run')])
    expect((await test(file('missing.rego'))).code).toBe(1)
  })

  it('exits 2 without tests, and for skipped ones without -z', async () => {
    const none = await test()
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('No tests found')])
    expect((await test(file('policy_test.rego'), '--run', 'nothing')).code).toBe(2)
    expect((await test(file('policy_test.rego'))).code).toBe(2)
    expect((await test(file('policy_test.rego'), '--exit-zero-on-skipped=true')).code).toBe(0)
    expect((await test(file('policy_test.rego'), '-z=false')).code).toBe(2)
  })

  it('runs only tests that match --run', async () => {
    const { stdout } = await test(file('policy_test.rego'), '-v', '--run', 'test_cl')
    expect(stdout).toContain('PASS: 1/1')
  })

  it('policies of OPA alone, with a negation to warn about, are tested as in OPA', async () => {
    const source = `package only

is_empty(null)

deny if not startswith(input.x, "a")

test_empty if is_empty(null)
`
    await writeFile(file('only.rego'), source)
    const { code, stdout, stderr } = await runMain('opa', 'test', file('only.rego'))
    expect([code, stdout]).toEqual([0, 'PASS: 1/1\n'])
    expect(stderr).toContain('warning:')
  })

  it('warns about each negation on which OPA disagrees, with a form on which both agree', async () => {
    const source = `package img

deny contains "a" if not startswith(input.image, "x")

# lint:ignore undefined-negation: checked by the caller
deny contains "b" if not endswith(input.image, "y")

deny contains "c" if not input.level > 3
`
    await writeFile(file('image.rego'), source)
    await writeFile(
      file('image_test.rego'),
      'package img_test\n\nimport data.img\n\ntest_a if count(img.deny) == 3',
    )
    const args = ['opa', 'test', file('image.rego'), file('image_test.rego')]
    for (const format of ['pretty', 'json']) {
      const { stderr } = await runMain(...args, '--format', format, '--timeout', '5s')
      expect(stderr.match(/^warning: .*/gm)).toEqual([
        `warning: \`not startswith(input.image, "x")\` is true if input.image is undefined, but undefined in OPA 1.2 ${file('image.rego')}:3:22`,
        `warning: \`not input.level > 3\` is true if input.level is undefined, but undefined in OPA 1.2 ${file('image.rego')}:8:22`,
      ])
      expect(stderr).toContain('`holds if input.level > 3`, and here `not holds`')
    }
  })

  it('prints only JSON on stdout', async () => {
    const { stdout, code } = await test(file('failing_test.rego'), '-f=json')
    const tests = JSON.parse(stdout)
    expect(code).toBe(2)
    expect(tests[0]).toMatchObject({
      package: 'data.pay_test',
      name: 'test_wrong',
      fail: true,
      location: { row: 5, col: 1 },
    })
    expect(tests[1].sub_results).toEqual({
      low: { name: 'low' },
      high: { name: 'high', fail: true },
    })
    const printing = await test(file('policy_test.rego'), '-f', 'json')
    const [, denied] = JSON.parse(printing.stdout)
    expect(Buffer.from(denied.output, 'base64').toString()).toBe('denied: {"too much"}\n')
  })

  it('prints the coverage of OPA, if all tests pass', async () => {
    const { code, stdout } = await test(file('policy_test.rego'), '-c', '-r', 'test_[cd]')
    expect(code).toBe(0)
    const { files, covered_lines, not_covered_lines, coverage } = JSON.parse(stdout)
    expect(files[file('policy.rego')]).toMatchObject({ not_covered: [{ start: { row: 3 } }] })
    expect(coverage).toBeCloseTo((100 * covered_lines) / (covered_lines + not_covered_lines))
    const failed = await test(file('failing_test.rego'), '--coverage')
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toContain('test_wrong: FAIL')
  })

  it('fails if coverage is below the threshold', async () => {
    const some = [file('policy_test.rego'), '-r', 'test_[cd]', '--threshold']
    const low = await test(...some, '100', '-v')
    expect(low.code).toBe(2)
    expect(low.stderr).toMatch(/threshold not met: got [\d.]+ instead of 100\.00/)
    expect(low.stderr).toContain(`${file('policy.rego')}:3`)
    expect((await test(...some, '50')).code).toBe(0)
  })

  it('refuses what it does not support by name', async () => {
    for (const option of ['--v0-compatible', '--v0-compatible=true']) {
      const { code, stderr } = await test(option)
      expect([code, stderr]).toEqual([1, expect.stringContaining('--v0-compatible is not supp')])
    }
    expect((await test('-t', 'wasm')).stderr).toContain("'-t, --target <target>'")
    expect((await test('--timeout', 'soon')).stderr).toContain('--timeout takes a duration')
  })

  it('warns of what looks like a test and is not run', async () => {
    const source = 'package near_test\n\ntest_a if true\n\ntestOpen if false\n'
    await writeFile(file('near_test.rego'), source)
    const { code, stderr } = await runMain('opa', 'test', file('near_test.rego'))
    expect(code).toBe(0)
    expect(stderr).toContain('testOpen looks like a test and is not run')
  })

  it('measures tests', async () => {
    const { stdout } = await test(file('policy_test.rego'), '--bench', '-r', 'clean')
    expect(stdout).toMatch(/^data\.pay_test\.test_clean\t +\d+\t +\d+ ns\/op$/m)
    const go = await test(file('policy_test.rego'), '--bench', '-r', 'clean', '-f', 'gobench')
    expect(go.stdout).toMatch(/^BenchmarkDataPayTestTestClean\t/)
  })
})

describe('--watch', () => {
  let child: ChildProcess | undefined
  afterAll(() => child?.kill('SIGKILL'))

  it('runs again after a change, and exits 0 on Ctrl-C', async () => {
    const svc = fileURLToPath(new URL('polgate.mjs', import.meta.url))
    const watched = file('watched_test.rego')
    await writeFile(watched, 'package w_test\ntest_a if true\n')
    child = spawn(process.execPath, [svc, 'opa', 'test', watched, '--watch'], {
      env: { ...process.env, NO_COLOR: '1' },
    })
    let seen = ''
    child.stdout?.on('data', (chunk) => (seen += chunk))
    child.stderr?.on('data', (chunk) => (seen += chunk))
    const until = async (text: string): Promise<void> => {
      for (let i = 0; i < 2_000 && !seen.includes(text); i++) {
        await new Promise((next) => setTimeout(next, 50))
      }
      expect(seen).toContain(text)
    }
    await until('waiting for changes')
    expect(seen).toContain('PASS: 1/1')
    seen = ''
    await writeFile(watched, 'package w_test\ntest_a if {')
    await until('waiting for changes')
    expect(seen).toContain('rego_parse_error')
    seen = ''
    await writeFile(watched, 'package w_test\ntest_a if true\ntest_b if true\n')
    await until('waiting for changes')
    expect(seen).toContain('PASS: 2/2')
    const exit = once(child, 'exit')
    child.kill('SIGINT')
    expect(await exit).toEqual([0, null])
  }, 180_000)
})
