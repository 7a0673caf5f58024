import { describe, expect, test } from 'vitest'
import { answerOf } from '../testing/answers.ts'

/** `p := term with ...`, which a head may not have, as a body. */
const p: typeof answerOf = (policies, ...rest) => {
  const [first = '', ...others] = [policies].flat()
  const body = first.replace(/^p := ((?:(?! if ).)*?) (with .*)$/m, 'p := it if { it := $1 $2 }')
  return answerOf([body, ...others], ...rest)
}

describe('with input', () => {
  test.each([
    ['p := q with input as {"a": 1}\nq := input.a', '1'],
    ['p := q with input.a.b as 1\nq := input', '{"a":{"b":1},"z":0}'],
    ['p := q with input.a as 1 with input.b as 2\nq := input', '{"a":1,"b":2,"z":0}'],
    ['p := q with input as {"a": 1} with input as {"b": 2}\nq := input', '{"b":2}'],
    ['p := q with input.z.y as 1\nq := input', '{"z":{"y":1}}'],
    ['p := [x, input.z] if { x := input.z with input.z as 5 }', '[5,0]'],
    [
      'p := x if { x := q with input.a as 1 }\nq := x if { x := r with input.b as 2 }\nr := input',
      '{"a":1,"b":2,"z":0}',
    ],
    ['p if { not q with input.z as 1 }\nq if { input.z == 0 }', 'true'],
    ['p := [x | x := q with input.z as [1, 2][_]]\nq := input.z', '[1,2]'],
    ['p := [q | true] with input.z as 3\nq := input.z', '[3]'],
    ['p if { every x in [1] { x == q } with input.z as 1 }\nq := input.z', 'true'],
    ['p := x if { x := input.none with input.z as 1 }', 'undefined'],
    ['p := q with input.a as input.none\nq := 1', 'undefined'],
  ])('%j', (source, expected) => {
    expect(p(source, { input: { z: 0 } })).toBe(expected)
  })

  test('cached values are not shared between inside and outside', () => {
    const source =
      'q := input.z\np := [q, x, q, y] if { x := q with input.z as 1; y := q with input.z as 2 }'
    expect(p(source, { input: { z: 0 } })).toBe('[0,1,0,2]')
  })

  test('a rule that does not depend on the replacement is evaluated once', () => {
    const lines: string[] = []
    const source =
      'q if { print("q") }\nr if { q; input.z }\np if { q; r with input.z as 1; r with input.z as 2 }'
    expect(p(source, { input: {}, print: (line) => lines.push(line) })).toBe('true')
    expect(lines).toEqual(['q'])
  })
})

describe('with data', () => {
  const data = { params: { max: 5 }, list: [1] }

  test.each([
    ['p := data.params.max with data.params as {"max": 1}', '1'],
    ['p := q with data.params.max as 1\nq := data.params', '{"max":1}'],
    ['p := q with data.none.x as 1\nq := data.none', '{"x":1}'],
    ['p := q with data.test.r as 2\nq := r + 1\nr := 1', '3'],
    ['p := [q | true] with data.test.s as {7}\nq := x if { s[x] }\ns contains 1', '[7]'],
    ['p := count(q) with data.params.max as 0\nq contains 1 if { data.params.max > 1 }', '0'],
  ])('%j', (source, expected) => {
    expect(p(source, { data })).toBe(expected)
  })

  test('a whole package', () => {
    const lib = 'package lib\nx := 1\ny := 2'
    expect(p(['package test\np := [data.lib.x, data.lib] with data.lib as {"x": 5}', lib])).toBe(
      '[5,{"x":5}]',
    )
    expect(p(['package test\np := data.lib with data.lib.x as 5', lib])).toBe('{"x":5,"y":2}')
    expect(p(['package test\np := [k | data.lib[k] == 5] with data.lib.x as 5', lib])).toBe('["x"]')
  })

  test('two parts, as in policy tests', () => {
    const policy = `package policy
default allow := false
allow if { count(deny) == 0 }
deny contains "too high" if { data.wasm.price > data.params.max }
deny contains "no price" if { not data.wasm.price }`
    const source = `package test
import data.policy
p := [a, b, c] if {
  a := policy.allow with data.params as {"max": 5} with data.wasm as {"price": 3}
  b := policy.deny with data.params as {"max": 5} with data.wasm as {"price": 9}
  c := policy.deny with data.params as {"max": 5} with data.wasm as {}
}`
    expect(p([source, policy])).toBe('[true,["too high"],["no price"]]')
  })

  test('an imported set can be replaced', () => {
    const policy = 'package policy\ndeny contains "x" if { data.params.bad }'
    const source = `package test
import data.policy
p := [a, b] if {
  a := count(policy.deny) with data.params as {"bad": true}
  b := count(policy.deny) with data.params as {}
  "x" in policy.deny with data.params as {"bad": true}
  not "x" in policy.deny with data.params as {}
}`
    expect(p([source, policy])).toBe('[1,0]')
  })
})

describe('with functions', () => {
  test.each([
    ['f(x) := x\np := f(1) with f as 5', '5'],
    ['f(x) := x\ng(x) := x * 10\np := f(1) with f as g', '10'],
    ['p := count([1]) with count as 7', '7'],
    ['f(x) := "mine"\np := count([1]) with count as f', '"mine"'],
    ['f(x) := count(x) + 1\np := count([1]) with count as f', '2'],
    ['f(x) := x\np := q with f as count\nq := f([1, 2])', '2'],
    ['p := upper("a") with upper as lower', '"a"'],
    [
      'q := http.send({"url": "x"}).status\nmock(_) := {"status": 200}\np := q with http.send as mock',
      '200',
    ],
    ['f(x) := x\np := [f(1), y, f(1)] if { y := f(1) with f as 2 }', '[1,2,1]'],
    ['q := json.unmarshal("1")\np := q with json.unmarshal as {"a": 1}', '{"a":1}'],
    ['default f(_) := 1\nq := f(0)\np := [q, x] if { x := q with f as 3 }', '[1,3]'],
  ])('%j', (source, expected) => {
    expect(p(source)).toBe(expected)
  })
})
