import { describe, expect, test } from 'vitest'
import { MAX_NESTING } from './cursor.ts'
import { parseQuery, parseTerm } from './parser.ts'
import { Source } from './source.ts'
import { literal, mistake, shape } from './written.fixture.ts'

const body = (text: string): string => parseQuery(new Source('query', text)).map(literal).join('; ')

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

  test('= and := have the lowest precedence, and may occur once in a literal', () => {
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
    ['x; y\nz', 'x; y; z'],
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

describe('bounds', () => {
  test('a source that is too long is rejected before parsing', () => {
    const start = performance.now()
    expect(mistake(`package a\n${'x'.repeat(10_000_000)}`)).toMatch(/longer than 1048576/)
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  test.each(['[', '{', '(', '{"a": ', '[x | x = ', 'f(', 'a['])(
    'nesting of %s is limited',
    (open) => {
      expect(mistake(`package a\np := ${open.repeat(100_000)}`)).toMatch(/nested deeper than/)
    },
  )

  test('allowed nesting is parsed', () => {
    const deep = Math.floor(MAX_NESTING / 4)
    expect(mistake(`package a\np := ${'['.repeat(deep)}${']'.repeat(deep)}`)).toBe('none')
  })

  test('chains are limited', () => {
    expect(mistake(`package a\np := 1${' + 1'.repeat(50_000)}`)).toMatch(/too long/)
    expect(mistake(`package a\np := x${'.y'.repeat(50_000)}`)).toMatch(/too long/)
  })

  test('nested ambiguous syntax does not take exponential time', () => {
    const text = `${'[x | '.repeat(30)}1${', 2]'.repeat(30)}`
    const start = performance.now()
    mistake(`package a\np := ${text}`)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
