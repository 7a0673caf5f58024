import { describe, expect, test } from 'vitest'
import { RegoError } from '../errors.ts'
import type { Literal, Term } from './ast.ts'
import { MAX_NESTING } from './cursor.ts'
import { parseModule, parseQuery, parseTerm } from './parser.ts'
import { Source } from './source.ts'

/** A term with all its parentheses. */
const shape = (term: Term): string => {
  switch (term.kind) {
    case 'scalar':
      return JSON.stringify(term.value)
    case 'var':
      return term.name.startsWith('$') ? '_' : term.name
    case 'ref':
      return `${shape(term.head)}${term.path.map((part) => `[${shape(part)}]`).join('')}`
    case 'array':
      return `[${term.items.map(shape).join(' ')}]`
    case 'set':
      return `<${term.items.map(shape).join(' ')}>`
    case 'object':
      return `{${term.entries.map(([k, v]) => `${shape(k)}:${shape(v)}`).join(' ')}}`
    case 'call':
      return `(${[shape(term.operator), ...term.args.map(shape)].join(' ')})`
    case 'template':
      return `$(${term.parts.map((p) => (typeof p === 'string' ? JSON.stringify(p) : literal(p))).join(' ')})`
    case 'objectComprehension':
      return `{${shape(term.key)}:${shape(term.value)} | ${term.body.map(literal).join('; ')}}`
    default: {
      const [open, close] = term.kind === 'arrayComprehension' ? ['[', ']'] : ['<', '>']
      return `${open}${shape(term.head)} | ${term.body.map(literal).join('; ')}${close}`
    }
  }
}

const literal = (each: Literal): string => {
  const withs = each.withs.map((w) => ` with ${shape(w.target)} as ${shape(w.value)}`).join('')
  switch (each.kind) {
    case 'term':
      return `${each.negated ? 'not ' : ''}${shape(each.term)}${withs}`
    case 'some':
      return `some ${each.vars.map(shape).join(' ')}`
    case 'someIn':
      return `some ${each.key === undefined ? '' : `${shape(each.key)} `}${shape(each.value)} in ${shape(each.domain)}${withs}`
    case 'every':
      return `every ${each.key === undefined ? '' : `${shape(each.key)} `}${shape(each.value)} in ${shape(each.domain)} {${each.body.map(literal).join('; ')}}${withs}`
  }
}

const body = (text: string): string => parseQuery(new Source('query', text)).map(literal).join('; ')

const module = (text: string) => parseModule(new Source('a.rego', text))

const mistake = (text: string): string => {
  try {
    module(text)
  } catch (error) {
    if (error instanceof RegoError) {
      return `${error.location?.row}:${error.location?.col} ${error.code}: ${error.message}`
    }
    throw error
  }
  return 'none'
}

describe('operators', () => {
  test.each([
    ['1 + 2 * 3', '(plus 1 (mul 2 3))'],
    ['1 - 2 - 3', '(minus (minus 1 2) 3)'],
    ['a | b & c', '(or a (and b c))'],
    ['a & b + c', '(and a (plus b c))'],
    ['a + 1 == b | c', '(equal (plus a 1) (or b c))'],
    ['x == y in z', '(internal.member_2 (equal x y) z)'],
    ['x in y in z', '(internal.member_2 (internal.member_2 x y) z)'],
    ['k, v in xs', '(internal.member_3 k v xs)'],
    ['(1 + 2) * 3', '(mul (plus 1 2) 3)'],
    ['-1 - -2', '(minus -1 -2)'],
    ['a % b / c', '(div (rem a b) c)'],
    ['1 < 2', '(lt 1 2)'],
  ])('%s', (text, expected) => {
    expect(shape(parseTerm(text))).toBe(expected)
  })

  test('= and := are the weakest, and stand once in a literal', () => {
    expect(body('x := 1 in [1]')).toBe('(assign x (internal.member_2 1 [1]))')
    expect(body('x = y == z')).toBe('(eq x (equal y z))')
    expect(() => body('x = y = z')).toThrow(/unexpected eq token/)
  })

  test('an operator may stand on the next line', () => {
    expect(body('a\n  + b')).toBe('(plus a b)')
  })

  test('minus is for numbers only', () => {
    expect(() => parseTerm('-y')).toThrow(/expected number/)
    expect(() => parseTerm('-(1)')).toThrow(/expected number/)
  })
})

describe('references and calls', () => {
  test.each([
    ['a.b["c"][d]', 'a["b"]["c"][d]'],
    ['f(x)[0].y', '(f x)[0]["y"]'],
    ['json.marshal(x)', '(json["marshal"] x)'],
    ['{"a": 1}.a', '{"a":1}["a"]'],
    ['[1, 2][_]', '[1 2][_]'],
    ['data.in.if', 'data["in"]["if"]'],
    ['set()', '<>'],
    ['contains(a, b)', '(contains a b)'],
    ['x[y.z[0]]', 'x[y["z"][0]]'],
  ])('%s', (text, expected) => {
    expect(shape(parseTerm(text))).toBe(expected)
  })

  test('a bracket continues a reference only without a space', () => {
    expect(body('x\n[1]')).toBe('x; [1]')
    expect(() => body('x [1]')).toThrow(/unexpected \[ token/)
  })
})

describe('composites', () => {
  test.each([
    ['{}', '{}'],
    ['{1}', '<1>'],
    ['{1, 2,}', '<1 2>'],
    ['{"a": 1, "b": [2,],}', '{"a":1 "b":[2]}'],
    ['[x | x = 1]', '[x | (eq x 1)]'],
    ['{x | some x in xs; x > 1}', '<x | some x in xs; (gt x 1)>'],
    ['{k: v | some k, v in xs}', '{k:v | some k v in xs}'],
    ['{(x % 10) | some x in xs}', '<(rem x 10) | some x in xs>'],
    ['[x | y, 5]', '[(or x y) 5]'],
    ['[[1], [[2]]]', '[[1] [[2]]]'],
  ])('%s', (text, expected) => {
    expect(shape(parseTerm(text))).toBe(expected)
  })

  test('the head of a comprehension is a term without operators', () => {
    expect(() => parseTerm('{x % 10 | some x in xs}')).toThrow('unexpected some keyword')
    expect(() => parseTerm('[x + 1 | some x in xs]')).toThrow('unexpected some keyword')
  })

  test('templates', () => {
    expect(shape(parseTerm('$"a {x + 1} {y}"'))).toBe('$("a " (plus x 1) " " y)')
    expect(() => parseTerm('$"{x := 1}"')).toThrow(/template/)
    expect(() => parseTerm('$"{some x in y}"')).toThrow(/template/)
  })
})

describe('literals', () => {
  test.each([
    ['not x; y', 'not x; y'],
    ['some x, y', 'some x y'],
    ['some x in xs', 'some x in xs'],
    ['some k, [a, b] in xs', 'some k [a b] in xs'],
    ['every x in xs { x > 1; y }', 'every x in xs {(gt x 1); y}'],
    ['every k, v in xs { k }', 'every k v in xs {k}'],
    ['p with input.x as 1 with data.y as z', 'p with input["x"] as 1 with data["y"] as z'],
    ['p\n  with input as {}', 'p with input as {}'],
    ['x;;y;', 'x; y'],
  ])('%s', (text, expected) => {
    expect(body(text)).toBe(expected)
  })

  test.each([
    ['some 1', /expected var/],
    ['every x { x }', /expected `x\[, y\] in xs/],
    ['every x in xs {}', /found empty body/],
    ['not some x in xs', /unexpected some keyword/],
    ['not not x', /unexpected not keyword/],
    ['x y', /expected \\n or ;/],
    ['x with 1 as 2', /expected with target/],
    ['1]]', /unexpected ] token/],
  ])('%s is refused', (text, message) => {
    expect(() => body(text)).toThrow(message)
  })
})

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

  test('metadata blocks know what they stand before, whatever is in them', () => {
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

  test.each([
    ['', '1:1 rego_parse_error: empty module'],
    ['p := 1', '1:1 rego_parse_error: package expected'],
    ['package a\npackage b', '2:1 rego_parse_error: unexpected package keyword'],
    ['package a\np { true }', '2:3 rego_parse_error: `if` keyword is required before rule body'],
    ['package a\np', '2:1 rego_parse_error: var cannot be used for rule name'],
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
    ['package a\nimport rego.v2', /must be `rego.v1`/],
    ['package a\nimport future.keywords.foo', /unexpected keyword/],
    ['package a\nnot := 1', '2:1 rego_parse_error: unexpected not keyword'],
    ['package a\np := 1 +', /unexpected eof token/],
    ['package a\np if { x := 1', /unexpected eof token: expected \\n or ; or }/],
    ['package a\np := 1 q := 2', /unexpected identifier token/],
    ['package a\ndata.x := 1', /rule name cannot start with data/],
  ])('%j is refused', (text, message) => {
    expect(mistake(text)).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    )
  })
})

describe('bounds', () => {
  test('a source that is too long is refused before it is read', () => {
    const start = performance.now()
    expect(mistake(`package a\n${'x'.repeat(10_000_000)}`)).toMatch(/longer than 1048576/)
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  test.each(['[', '{', '(', '{"a": ', '[x | x = ', 'f(', 'a['])(
    'nesting of %s is bounded',
    (open) => {
      expect(mistake(`package a\np := ${open.repeat(100_000)}`)).toMatch(/nested deeper than/)
    },
  )

  test('what is allowed to nest does', () => {
    const deep = Math.floor(MAX_NESTING / 4)
    expect(mistake(`package a\np := ${'['.repeat(deep)}${']'.repeat(deep)}`)).toBe('none')
  })

  test('chains are bounded', () => {
    expect(mistake(`package a\np := 1${' + 1'.repeat(50_000)}`)).toMatch(/too long/)
    expect(mistake(`package a\np := x${'.y'.repeat(50_000)}`)).toMatch(/too long/)
  })

  test('what could be read in two ways, nested, does not double its work each time', () => {
    const text = `${'[x | '.repeat(30)}1${', 2]'.repeat(30)}`
    const start = performance.now()
    mistake(`package a\np := ${text}`)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
