import { describe, expect, it } from 'vitest'
import { RegoError } from '../errors.ts'
import { Coverage } from '../report/coverage.ts'
import { fullName, runTests, type TestOptions } from './runTests.ts'

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
      { name: 'above', passed: false },
      { name: 'below', passed: true },
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
