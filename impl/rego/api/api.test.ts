import { describe, expect, it } from 'vitest'
import { STRING } from '../builtins/types.ts'
import { regex } from '../groups/regex.ts'
import {
  type Builtin,
  capabilities,
  compile,
  coverage,
  evaluate,
  explain,
  RegoError,
  test,
} from '../index.ts'

const limit = `package limit

default allow := false

allow if {
	input.amount <= data.most
	not input.blocked
}
`
const limitTest = `package limit_test

import data.limit

test_small if limit.allow with input as {"amount": 1}

test_large if limit.allow with input as {"amount": 1000}

todo_test_later if false
`
const policy = compile(
  { 'limit.rego': limit, 'limit_test.rego': limitTest },
  { data: { most: 100 } },
)

function errorOf(run: () => unknown): RegoError {
  try {
    run()
  } catch (error) {
    if (error instanceof RegoError) return error
    throw error
  }
  throw new Error('no error')
}

describe('evaluate', () => {
  it('answers with plain data', () => {
    expect(evaluate(policy, 'data.limit.allow', { input: { amount: 40 } })).toEqual({
      defined: true,
      value: true,
      json: 'true',
      rows: [{ bindings: {}, values: [true] }],
    })
    const shapes = compile({
      'a.rego': 'package a\np := {"set": {2, 1}, "big": 12345678901234567890, "keys": {[1]: 2}}',
    })
    expect(evaluate(shapes, 'data.a.p').value).toEqual({
      set: [1, 2],
      big: 12345678901234567890n,
      keys: { '[1]': 2 },
    })
  })

  it('has no value for what is undefined, and a row for each solution', () => {
    expect(evaluate(policy, 'data.limit.missing')).toEqual({
      defined: false,
      value: undefined,
      json: undefined,
      rows: [],
    })
    const { rows } = evaluate(policy, 'some x in [1, 2]; y := x + 1')
    expect(rows.map(({ bindings }) => bindings)).toEqual([
      { x: 1, y: 2 },
      { x: 2, y: 3 },
    ])
  })

  it('throws for a policy that fails, and for one that exceeds its limits', () => {
    const failing = compile({ 'a.rego': 'package a\np := 1 / input.zero' })
    expect(errorOf(() => evaluate(failing, 'data.a.p', { input: { zero: 0 } })).text).toMatch(
      /^a.rego:2: eval_builtin_error: div: divide by zero/,
    )
    const endless = compile({ 'a.rego': 'package a\np := count(numbers.range(1, 1000000))' })
    const error = errorOf(() => evaluate(endless, 'data.a.p', { limits: { steps: 1_000 } }))
    expect(error.code).toBe('eval_cancel_error')
  })
})

describe('compile', () => {
  it('throws the first error with its place', () => {
    const { code, location } = errorOf(() => compile({ 'a.rego': 'package a\np := x' }))
    expect([code, location]).toEqual(['rego_unsafe_var_error', { file: 'a.rego', row: 2, col: 6 }])
  })

  it('says which import has an unknown built-in', () => {
    const source = { 'a.rego': 'package a\np if regex.match("a", input.x)' }
    expect(errorOf(() => compile(source)).message).toBe(
      "undefined function regex.match; import { regex } from 'polgate-rego/regex' and pass builtins: [regex] to compile",
    )
    const token = { 'a.rego': 'package a\np := io.jwt.decode(input.x)' }
    expect(errorOf(() => compile(token)).message).toContain("'polgate-rego/jwt' (on Node)")
    expect(errorOf(() => evaluate(policy, 'semver.is_valid("1")')).message).toContain(
      "'polgate-rego/semver'",
    )
    expect(errorOf(() => compile({ 'a.rego': 'package a\np := nope(1)' })).message).toBe(
      'undefined function nope',
    )
    const ready = compile(source, { builtins: [regex] })
    expect(evaluate(ready, 'data.a.p', { input: { x: 'cat' } }).value).toBe(true)
  })

  it('takes own built-ins', () => {
    const shout: Builtin = {
      name: 'my.shout',
      args: [STRING],
      result: STRING,
      call: (_, text) => `${String(text)}!`,
    }
    const own = compile({ 'a.rego': 'package a\np := my.shout("hey")' }, { builtins: [[shout]] })
    expect(evaluate(own, 'data.a.p').value).toBe('hey!')
  })
})

describe('capabilities', () => {
  it('list what may be called, in the format of OPA', () => {
    const { builtins } = capabilities([regex])
    expect(builtins).toContainEqual({
      name: 'plus',
      infix: '+',
      decl: {
        type: 'function',
        args: [{ type: 'number' }, { type: 'number' }],
        result: { type: 'number' },
      },
    })
    const names = builtins.map(({ name }) => name)
    expect(names).toContain('regex.match')
    expect(names).toEqual([...names].sort())
    expect(capabilities().builtins.map(({ name }) => name)).not.toContain('regex.match')
  })

  it('restrict what may be called', () => {
    const { builtins } = capabilities()
    const without = { builtins: builtins.filter(({ name }) => name !== 'http.send') }
    const source = { 'a.rego': 'package a\np := http.send({"method": "get", "url": input.x})' }
    expect(errorOf(() => compile(source, { capabilities: without })).message).toBe(
      'undefined function http.send',
    )
    expect(() => compile(source, { capabilities: { builtins } })).not.toThrow()
    const arithmetic = compile(
      { 'a.rego': 'package a\np := x + 1 if { some x in [1] }' },
      {
        capabilities: { builtins: [] },
      },
    )
    expect(evaluate(arithmetic, 'data.a.p').value).toBe(2)
  })
})

describe('test', () => {
  it('runs tests, and shows why one failed', () => {
    const { passed, outcomes } = test(policy)
    expect(passed).toBe(false)
    expect(outcomes.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'data.limit_test.test_small pass',
      'data.limit_test.test_large fail',
      'data.limit_test.todo_test_later skip',
    ])
    expect(outcomes[1]).toMatchObject({ file: 'limit_test.rego', row: 7 })
    expect(outcomes[1]?.failures[0]?.text).toContain('limit.allow')
  })

  it('runs those that match, and fails without any', () => {
    const names: string[] = []
    const report = test(policy, { run: /small/, onOutcome: ({ name }) => names.push(name) })
    expect(report.passed).toBe(true)
    expect(names).toEqual(['data.limit_test.test_small'])
    expect(test(policy, { run: /none/ }).passed).toBe(false)
  })

  it('uses the options of the policy', () => {
    const timed = compile(
      { 't.rego': 'package t_test\ntest_data if data.a == 1' },
      { dataJson: '{"a": 1}' },
    )
    expect(test(timed).passed).toBe(true)
  })
})

describe('coverage', () => {
  it('is that of the tests, or of evaluations', () => {
    expect(coverage(policy)).toEqual({
      files: [{ file: 'limit.rego', covered: [3, 5, 6, 7], notCovered: [], percent: 100 }],
      percent: 100,
    })
    const { files } = coverage(policy, [{ query: 'data.limit.allow', input: { amount: 500 } }])
    expect(files).toMatchObject([{ covered: [3, 6], notCovered: [5, 7] }])
  })
})

describe('explain', () => {
  it('says which expression did not hold, with the values of its parts', () => {
    const { answer, rules } = explain(policy, 'data.limit.allow', { input: { amount: 500 } })
    expect(answer.value).toBe(false)
    expect(rules).toMatchObject([
      {
        name: 'data.limit.allow',
        isDefault: true,
        definitions: [
          {
            held: false,
            failures: [
              {
                text: 'input.amount <= data.most',
                values: [
                  { text: 'input.amount', value: 500 },
                  { text: 'data.most', value: 100 },
                ],
              },
            ],
          },
        ],
      },
    ])
  })
})
