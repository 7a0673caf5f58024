import { RegoObject } from 'polgate-rego/values/object.ts'
import { RegoSet } from 'polgate-rego/values/set.ts'
import type { Value } from 'polgate-rego/values/value.ts'
import { describe, expect, it } from 'vitest'
import type { Expectation } from './cases.ts'
import { decide } from './decisions.ts'
import { type Answer, judge, type Outcome } from './judge.ts'

const answers = (...rows: readonly Answer[]): Outcome => ({ kind: 'answers', runs: [rows] })
const bound = (name: string, value: Value): Answer => ({
  bindings: new Map([[name, value]]),
  expressions: [true],
})
const valued = (...expressions: readonly Value[]): Answer => ({ bindings: new Map(), expressions })
const broken: Outcome = { kind: 'error', code: 'eval_type_error', text: 'f:1: eval_type_error: x' }

describe('rows', () => {
  const want = (values: readonly Value[], sortBindings = false): Expectation => ({
    kind: 'rows',
    rows: values.map((value) => new Map([['x', value]])),
    sortBindings,
  })

  it('compares as a set of rows, with sets as sorted arrays', () => {
    const got = answers(bound('x', RegoSet.from([2, 1])), bound('x', 3), bound('x', 3))
    expect(judge(want([3, [1, 2]]), got).passed).toBe(true)
    expect(judge(want([3]), got).passed).toBe(false)
    expect(judge(want([3, [1, 2], 4]), got).passed).toBe(false)
    expect(judge(want([]), broken).passed).toBe(false)
  })

  it('converts keys that are not strings as JSON does', () => {
    const got = answers(bound('x', RegoObject.from([[RegoObject.from([['3', 4]]), 1]])))
    expect(judge(want([RegoObject.from([['{"3":4}', 1]])]), got).passed).toBe(true)
  })

  it('sorts bindings of the result only on request', () => {
    const got = answers(bound('x', [2, 1]))
    expect(judge(want([[1, 2]], true), got).passed).toBe(true)
    expect(judge(want([[1, 2]]), got).passed).toBe(false)
  })
})

describe('values', () => {
  const want = (...values: readonly Value[]): Expectation => ({
    kind: 'values',
    values,
    sortBindings: false,
  })

  it('uses the expressions of one row, and lists of them for several rows', () => {
    expect(judge(want(7), answers(valued(7))).passed).toBe(true)
    expect(
      judge(want([true, 1], [true, 2]), answers(valued(true, 1), valued(true, 2))).passed,
    ).toBe(true)
    expect(judge(want(RegoObject.from([['x', 1]])), answers(bound('x', 1))).passed).toBe(true)
    expect(judge(want(), answers()).passed).toBe(true)
    expect(judge(want(), answers(valued(false))).passed).toBe(false)
  })

  it('distinguishes sets from arrays', () => {
    expect(judge(want([1]), answers(valued(RegoSet.from([1])))).passed).toBe(false)
  })
})

describe('errors', () => {
  it('requires the code, and scores the text separately', () => {
    const want: Expectation = { kind: 'error', code: 'eval_type_error', text: 'no such' }
    expect(judge(want, broken)).toMatchObject({ passed: true, textMatches: false })
    expect(judge({ kind: 'error', code: 'eval_builtin_error' }, broken).passed).toBe(false)
    expect(judge({ kind: 'error' }, answers(valued(1))).passed).toBe(false)
  })
})

describe('expressions', () => {
  const passes = (expression: string, opa: string, regorus: string, outcome: Outcome): boolean =>
    judge({ kind: 'expression', decision: decide(expression, opa, regorus) }, outcome).passed

  it('accepts OPA by default', () => {
    expect(passes('count("😀")', '1', '2', answers(valued(1)))).toBe(true)
    expect(passes('count("😀")', '1', '2', answers(valued(2)))).toBe(false)
    expect(passes('5.5 % 2', 'undefined', 'ERR x', answers())).toBe(true)
    expect(passes('f(1)', 'ERR rego_type_error: x', 'undefined', answers())).toBe(false)
  })

  it('accepts doubles and exact integers where OPA rounds differently', () => {
    expect(passes('0.1+0.2', '0.3', '0.30000000000000004', answers(valued(0.1 + 0.2)))).toBe(true)
    expect(passes('a*3', '3e+20', '300000000000000000000', answers(valued(3n * 10n ** 20n)))).toBe(
      true,
    )
    expect(passes('0.1+0.2', '0.3', '0.30000000000000004', answers(valued(0.3)))).toBe(false)
  })
})
