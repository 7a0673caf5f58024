import { describe, expect, test } from 'vitest'
import { literal, mistake, module, shape } from './written.fixture.ts'

describe('modules', () => {
  test('heads', () => {
    const { rules } = module(`package a.b["c d"]
p := 1
q contains x if { x := 1 }
r[x].y := 2 if x := 1
f(x, [y]) := z if z := x
default g(_) := 0
h if true else := 2 if false else := 3
p.q.r = 4`)
    expect(
      rules.map(({ head, body: b, elses, isDefault }) => [
        shape(head.ref),
        head.args?.map(shape),
        head.member && shape(head.member),
        head.value && shape(head.value),
        b.length,
        elses.length,
        isDefault,
      ]),
    ).toEqual([
      ['p', undefined, undefined, '1', 0, 0, false],
      ['q', undefined, 'x', undefined, 1, 0, false],
      ['r[x]["y"]', undefined, undefined, '2', 1, 0, false],
      ['f', ['x', '[y]'], undefined, 'z', 1, 0, false],
      ['g', ['_'], undefined, '0', 0, 0, true],
      ['h', undefined, undefined, 'true', 1, 2, false],
      ['p["q"]["r"]', undefined, undefined, '4', 0, 0, false],
    ])
  })

  test('an empty object after if is a value, braces with literals are a body', () => {
    const { rules } = module(
      'package a\np if {}\nq if {"a": 1} == x\nr if { x; y }\ns if { x | y }\nt if {x} == {y}\nu if {x}',
    )
    expect(rules.map((rule) => rule.body.map(literal).join('; '))).toEqual([
      '{}',
      '(equal {"a":1} x)',
      'x; y',
      '<x | y>',
      '(equal <x> <y>)',
      'x',
    ])
  })

  test('keywords may be parts of references', () => {
    const { rules, package: pkg } = module(
      'package foo.if.in\nin.every := 1\ncontains.x contains 1',
    )
    expect(shape(pkg.path)).toBe('data["foo"]["if"]["in"]')
    expect(rules.map((rule) => shape(rule.head.ref))).toEqual(['in["every"]', 'contains["x"]'])
  })

  test('imports', () => {
    const { imports } = module(
      'package a\nimport data.x.y as z\nimport input.k\nimport rego.v1\nimport future.keywords.in',
    )
    expect(imports.map(({ path, alias }) => [shape(path), alias])).toEqual([
      ['data["x"]["y"]', 'z'],
      ['input["k"]', undefined],
      ['rego["v1"]', undefined],
      ['future["keywords"]["in"]', undefined],
    ])
  })

  test('metadata blocks belong to the following statement, whatever their content', () => {
    const { annotations } = module(`# METADATA
# title: pkg
package a

# METADATA
# : { not yaml
p := 1
# other`)
    expect(annotations.map(({ yaml, target }) => [yaml, target?.kind])).toEqual([
      ['title: pkg', 'package'],
      [': { not yaml', 'rule'],
    ])
  })

  test('each further body is another rule with the same head', () => {
    const { rules } = module('package a\n\np := 1 if x { y }\n{\n\tz\n}\n\nq if { x }\n\t== {y}\n')
    expect(rules.map(({ head, span }) => [shape(head.ref), span.location.row])).toEqual([
      ['p', 3],
      ['p', 3],
      ['p', 4],
      ['q', 8],
    ])
    expect(rules.map(({ body }) => body.map(({ span }) => span.text))).toEqual([
      ['x'],
      ['y'],
      ['z'],
      ['{ x }\n\t== {y}'],
    ])
  })

  test('a metadata block ends before a comment that is behind a statement', () => {
    const { annotations } = module('package a\n\n# METADATA\n# title: p\np := 1 # why: not\n')
    expect(annotations.map(({ yaml, target }) => [yaml, target?.kind])).toEqual([
      ['title: p', 'rule'],
    ])
  })

  test.each([
    ['', '1:1 rego_parse_error: empty module'],
    ['p := 1', '1:1 rego_parse_error: package expected'],
    ['package a\npackage b', '2:1 rego_parse_error: unexpected package keyword'],
    ['package a\np { true }', '2:3 rego_parse_error: `if` keyword is required before rule body'],
    ['package a\np', '2:1 rego_parse_error: var cannot be used for rule name'],
    ['package a\nset() := 1', '2:1 rego_parse_error: set() cannot be a rule'],
    ['package a\nset() if true', '2:1 rego_parse_error: set() cannot be a rule'],
    ['package a\np[x]', /`if` keyword or `contains` keyword is required/],
    ['package a\np := 1 if { false } else := 2 { true }', /`if` keyword is required/],
    ['package a\np contains 1 else := 2', /else keyword cannot be used on partial rules/],
    [
      'package a\ndefault p := x',
      '2:14 rego_parse_error: illegal default rule (value cannot contain var)',
    ],
    ['package a\ndefault p := input.x', /value cannot contain ref/],
    ['package a\ndefault p := 1 + 2', /value cannot contain call/],
    ['package a\ndefault p contains 1', /must have a value/],
    ['package a\ndefault f([x]) := 1', /arguments cannot contain array/],
    ['package a\ndefault f(x, x) := 1', /arguments cannot be repeated/],
    [
      'package a\nimport foo.bar',
      /must begin with one of: \{data, future, input, rego\}, got: foo/,
    ],
    ['package a\nimport rego.v2', /`import rego.v2` needs OPA 1.22 or later/],
    ['package a\nimport rego.v3', /must be `rego.v1`/],
    [
      'package a\nimport future.keywords.not',
      /`import future.keywords.not` needs OPA 1.17 or later/,
    ],
    ['package a\nimport future.keywords.and', /needs OPA 1.20 or later/],
    ['package a\nimport future.keywords.or', /needs OPA 1.20 or later/],
    ['package a\np if not {input.n, 1}', /`not` before a body needs OPA 1.17 or later/],
    ['package a\nelse := 2 if {1} == input.x', /unexpected/],
    ['package a\np := 1 if input.z\nelse := 2 if {"id": y} = input.x', /unexpected/],
    ['package a\nimport future.keywords.foo', /unexpected keyword/],
    ['package a\nnot := 1', '2:1 rego_parse_error: unexpected not keyword'],
    ['package a\np := 1 +', /unexpected eof token/],
    ['package a\np if { x := 1', /unexpected eof token: expected \\n or ; or }/],
    ['package a\np := 1 q := 2', /unexpected identifier token/],
    ['package if', '1:9 rego_parse_error: unexpected if keyword'],
    ['package every.a', '1:9 rego_parse_error: unexpected every keyword'],
    ['package a\np if { true } else := 1 { true }', /`if` keyword is required/],
    ['package a\np if { true } else := 1 if { true } { true }', /unexpected { token/],
    ['package a\np := 1 if { true } { }', /unexpected } token|found empty body/],
  ])('%j is refused', (text, message) => {
    expect(mistake(text)).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    )
  })
})
