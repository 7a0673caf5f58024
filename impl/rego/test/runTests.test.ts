import { describe, expect, it } from 'vitest'
import { profileBuiltins } from '../builtins/capabilities.ts'
import { RegoError } from '../errors.ts'
import { Coverage } from '../report/coverage.ts'
import { fullName, runTests, type TestOptions } from './runTests.ts'
import { leafCases } from './testCases.ts'

const policy = `package pay

default allow := false

allow if count(deny) == 0

deny contains "too much" if input.value > data.params.max

deny contains "no params" if not data.params
`

const suite = `package pay_test

import data.pay

params := {"max": 10}

test_clean if {
	pay.allow with input as {"value": 1} with data.params as params
}

test_wrong if {
	pay.allow with input as {"value": 11} with data.params as params
}

test_print if {
	print("value is", 11, input.nothing)
	true
}

test_number := 5

test_error if 1 / 0 == 1

todo_test_later if false

test_cases[name] if {
	some name, c in {
		"below": {"value": 1, "allow": true},
		"above": {"value": 11, "allow": true},
	}
	allowed := pay.allow with input as {"value": c.value} with data.params as params
	allowed == c.allow
}

not_a_test if true

test_function(x) := x
`

function clock() {
  let now = 0
  return () => now++
}

const run = (source: string, options: Partial<TestOptions> = {}) =>
  runTests({
    modules: [
      { name: 'policy.rego', source: policy },
      { name: 'policy_test.rego', source },
    ],
    clock: clock(),
    ...options,
  })

describe('tests of a policy', () => {
  const { results } = run(suite, { strict: true })
  const named = (name: string) => results.find(({ test }) => test.name === name)

  it('finds rules by their names, in the order of the text', () => {
    expect(results.map(({ test, status }) => `${test.name} ${status}`)).toEqual([
      'test_clean pass',
      'test_wrong fail',
      'test_print pass',
      'test_number fail',
      'test_error error',
      'todo_test_later skip',
      'test_cases fail',
      'test_function error',
    ])
    expect(fullName(named('test_clean')!.test)).toBe('data.pay_test.test_clean')
    expect(named('test_clean')?.test.location).toMatchObject({ file: 'policy_test.rego', row: 7 })
  })

  it('records output, time and error', () => {
    expect(named('test_print')?.output).toEqual(['value is 11 <undefined>'])
    expect(named('test_clean')?.time).toBeGreaterThan(0)
    expect(named('test_error')?.error?.text).toContain('divide by zero')
  })

  it('is undefined and fails without strict errors', () => {
    const error = run(suite, { run: /test_error/ }).results
    expect(error.map(({ status }) => status)).toEqual(['fail'])
  })

  it('lists all cases of a parameterized test', () => {
    expect(named('test_cases')?.cases).toEqual([
      { name: 'above', passed: false, cases: [] },
      { name: 'below', passed: true, cases: [] },
    ])
  })

  it('shows the failed expression and why', () => {
    const [failure] = named('test_wrong')?.failures ?? []
    expect(failure?.location.row).toBe(12)
    expect(failure?.text).toContain('pay.allow with input')
    const [allow] = failure?.because ?? []
    expect(allow).toMatchObject({ name: 'data.pay.allow', isDefault: true })
    expect(allow?.definitions[0]?.failures[0]).toMatchObject({
      text: 'count(deny) == 0',
      values: [{ text: 'count(deny)', value: 1 }],
    })
  })

  it('runs only matching tests', () => {
    expect(run(suite, { run: /clean|print/ }).results).toHaveLength(2)
    expect(run(suite, { run: /nothing/ }).results).toEqual([])
  })

  it('does not run modules with compile errors', () => {
    expect(() => run('package pay_test\ntest_x if missing(1)')).toThrow(RegoError)
  })

  it('supports a tracer', () => {
    const coverage = new Coverage()
    const { modules } = run(suite, { tracer: coverage, run: /clean/ })
    const report = coverage.report(modules.slice(0, 1))
    expect(report.files[0]).toMatchObject({ covered: [5], notCovered: [3, 7, 9] })
  })
})

const outcomes = (source: string, name = 'p_test.rego') =>
  runTests({ modules: [{ name, source }], clock: clock() }).results.map(
    ({ test, status }) => `${fullName(test)} ${status}`,
  )

/** As OPA 1.2 answers. */
describe('names of tests', () => {
  it('are those of each rule, also of several with one name, in all files', () => {
    const source =
      'package p_test\n\ntest_x if true\n\ntest_x if false\n\nclosed.test_y if 1 == 1\n'
    const modules = [
      { name: 'b_test.rego', source },
      { name: 'a_test.rego', source: `${source}\nclosed.test_y if 1 == 2\n` },
    ]
    const { results } = runTests({ modules, clock: clock() })
    expect(results.map(({ test, status }) => `${test.name} ${status}`)).toEqual([
      'test_x pass',
      'test_x#01 fail',
      'closed.test_y pass',
      'closed["test_y#01"] fail',
      'test_x#02 pass',
      'test_x#03 fail',
      'closed["test_y#02"] pass',
    ])
  })

  it('may be any constant part of a reference, in packages of any name', () => {
    const source = `package a["b-c"].d

closed.test_open if true

closed["todo_test_later"].x if true

test_part.a if true

default test_default := false

test_default if true
`
    expect(outcomes(source)).toEqual([
      'data.a["b-c"].d.closed.test_open pass',
      'data.a["b-c"].d.closed.todo_test_later skip',
      'data.a["b-c"].d.test_part fail',
      'data.a["b-c"].d.test_default fail',
      'data.a["b-c"].d.test_default#01 pass',
    ])
  })

  it('keep the annotations of a renamed rule', () => {
    const source = `package p_test

test_x if true

# METADATA
# title: second
test_x if rego.metadata.rule().title == "second"
`
    const { results } = runTests({
      modules: [{ name: 'p_test.rego', source }],
      clock: clock(),
      builtins: profileBuiltins('opa-1.2'),
    })
    expect(results.map(({ status }) => status)).toEqual(['pass', 'pass'])
  })

  it('report what looks like a test and is not run', () => {
    const source = 'package p_test\n\ntestOpen if true\n\ntests_x if true\n\ntestify(x) := x\n'
    const modules = [
      { name: 'p_test.rego', source },
      { name: 'p.rego', source: 'package p\n\ntestOpen if true\n' },
    ]
    const { near } = runTests({ modules, clock: clock() })
    expect(near.map(({ name, location: { row } }) => `${name} ${row}`)).toEqual([
      'testOpen 3',
      'tests_x 5',
    ])
  })
})

describe('cases of parameterized tests', () => {
  const casesOf = (rule: string) => {
    const modules = [{ name: 'p_test.rego', source: `package p_test\n\n${rule}\n` }]
    const [result] = runTests({ modules, clock: clock() }).results
    return { status: result?.status, cases: leafCases(result?.cases ?? []) }
  }

  it('are named late', () => {
    const rule = `test_x[tc.note] if {
	some tc in [{"note": "a", "v": 1}, {"note": "b", "v": 2}]
	doubled := tc.v * 2
	doubled == 2
}`
    expect(casesOf(rule)).toEqual({
      status: 'fail',
      cases: [
        { name: 'a', passed: true },
        { name: 'b', passed: false },
      ],
    })
  })

  it('are nested', () => {
    const rule = `test_x[outer][inner] if {
	some outer, inner in {"x": "p", "y": "q"}
	inner == "p"
}`
    expect(casesOf(rule)).toEqual({
      status: 'fail',
      cases: [
        { name: 'x/p', passed: true },
        { name: 'y/q', passed: false },
      ],
    })
  })

  it('pass if there are none, as in OPA', () => {
    expect(casesOf('test_x[name] if some name in []')).toEqual({ status: 'pass', cases: [] })
  })

  it('fail with another value than true', () => {
    const rule = 'test_x[name] := v if some name, v in {"a": true, "b": 1, "c": {"d": false}}'
    expect(casesOf(rule).cases).toEqual([
      { name: 'a', passed: true },
      { name: 'b', passed: false },
      { name: 'c/d', passed: false },
    ])
  })
})

it('compiles once, however many tests fail', () => {
  let compiled = 0
  const types = {
    program: () => {
      compiled++
    },
    query: () => {},
  }
  const source =
    'package p_test\n\ntest_a if input.x\n\ntest_b[n] if {\n\tsome n in [1, 2]\n\tn > 2\n}\n'
  const modules = [{ name: 'p_test.rego', source }]
  const { results } = runTests({ modules, clock: clock(), types })
  expect(results.map(({ status, failures }) => [status, failures.length])).toEqual([
    ['fail', 1],
    ['fail', 1],
  ])
  expect(compiled).toBe(1)
})
