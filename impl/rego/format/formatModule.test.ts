import { describe, expect, test } from 'vitest'
import { RegoError } from '../errors.ts'
import { Source } from '../syntax/source.ts'
import { formatModule } from './formatModule.ts'

const format = (text: string): string => formatModule(new Source('a.rego', text))

/** The lines after `package a`, formatted. */
const formatted = (text: string): string =>
  format(`package a\n\n${text}`).replace(/^package a\n\n?/, '')

describe('statements', () => {
  test.each([
    ['assignment', 'p   :=   1', 'p := 1\n'],
    ['`=` becomes `:=`', 'default p = false', 'default p := false\n'],
    ['a blank line between rules', 'p := 1\nq := 2', 'p := 1\n\nq := 2\n'],
    ['one literal on the line of the head', 'p if { input.x }', 'p if input.x\n'],
    ['one literal below it', 'p if {\ninput.x }', 'p if {\n\tinput.x\n}\n'],
    [
      'literals on lines of their own',
      'p if { input.x; input.y }',
      'p if {\n\tinput.x\n\tinput.y\n}\n',
    ],
    [
      'blank lines of the author',
      'p if {\ninput.x\n\n\ninput.y }',
      'p if {\n\tinput.x\n\n\tinput.y\n}\n',
    ],
    ['a body of true', 'p := 1 if { true }', 'p := 1\n'],
    ['a value of true', 'p := true if input.x', 'p if input.x\n'],
    ['an entry of true', 'p[x] := true if some x in input', 'p[x] := true if some x in input\n'],
    ['an entry without value', 'p[x] if some x in input', 'p[x] if some x in input\n'],
    ['a path in a head', 'p.q := 1', 'p["q"] := 1\n'],
    ['a longer path in a head', 'p.q := 1\np.r.s := 2', 'p.q := 1\n\np.r.s := 2\n'],
    ['a member', 'p  contains  x  if { some x in input }', 'p contains x if some x in input\n'],
    ['a function', 'f( x,y ):=x+y', 'f(x, y) := x + y\n'],
    ['else beside the brace', 'p := 1 if {\nx\n} else := 2', 'p := 1 if {\n\tx\n} else := 2\n'],
    ['else below it', 'p := 1 if {\nx\n}\nelse := 2', 'p := 1 if {\n\tx\n}\n\nelse := 2\n'],
    ['else of one line', 'p := 1 if x else := 2 if y', 'p := 1 if x\n\nelse := 2 if y\n'],
    ['a negated set', 'p if { not {1} }', 'p if {\n\tnot {1}\n}\n'],
    [
      'a brace first in an else',
      'p if x\nelse := 2 if { {1} == y }',
      'p if x\n\nelse := 2 if {\n\t{1} == y\n}\n',
    ],
    ['a function without a body', 'f( 1 )', 'f(1)\n'],
    ['a set as the only literal', 'p if { {1} }', 'p if {\n\t{1}\n}\n'],
  ])('%s', (_, text, expected) => {
    expect(formatted(text)).toBe(expected)
  })
})

describe('terms', () => {
  test.each([
    ['x + y * z', 'x + (y * z)'],
    ['(x + y) * z', '(x + y) * z'],
    ['x == (y)', 'x == y'],
    ['(x in y) == z', '(x in y) == z'],
    ['x in (y in z)', 'x in (y in z)'],
    ['[(a | b)]', '[(a | b)]'],
    ['[a & b | c, 1]', '[((a & b) | c), 1]'],
    ['{"a": (b | c)}', '{"a": (b | c)}'],
    ['[x|some x in xs;x > 1]', '[x | some x in xs; x > 1]'],
    ['{(x + 1)|some x in xs}', '{(x + 1) | some x in xs}'],
    ['input["a"]["b c"][0]', 'input.a["b c"][0]'],
    ['input["if"]', 'input["if"]'],
    ['input.if', 'input.if'],
    ['service.lists.contains( 1 )', 'service.lists.contains(1)'],
    ['(a | b)[x]', '(a | b)[x]'],
    ['f( (a, b in c) )', 'f((a, b in c))'],
    ['"\\u00e9\\/\\u0007"', '"é/\\u0007"'],
    ['`raw "text"`', '`raw "text"`'],
    ['- 1.50', '-1.50'],
    ['[1,]', '[1]'],
    ['set( )', 'set()'],
    ['$"a {x+1}"', '$"a {x+1}"'],
  ])('%s', (text, expected) => {
    expect(formatted(`p := ${text}`)).toBe(`p := ${expected}\n`)
  })

  test('a list has the lines of its author, and a comma at its end', () => {
    expect(formatted('p := [1,\n2,3]')).toBe('p := [\n\t1,\n\t2, 3,\n]\n')
    expect(formatted('p := {"a": 1,\n"b": 2}')).toBe('p := {\n\t"a": 1,\n\t"b": 2,\n}\n')
    expect(formatted('p := f(1,\n2)')).toBe('p := f(\n\t1,\n\t2,\n)\n')
    expect(formatted('p := [\n1, 2\n]')).toBe('p := [1, 2]\n')
  })

  test('a comprehension of several lines has one literal per line', () => {
    const expected = 'p := [x |\n\tsome x in xs\n\tx > 1\n]\n'
    expect(formatted('p := [x |\nsome x in xs; x > 1]')).toBe(expected)
    expect(formatted('p := [x | some x in xs\nx > 1]')).toBe(expected)
  })
})

describe('literals', () => {
  const body = (text: string): string =>
    formatted(`p if {\n${text}\ntrue\n}`).replace(/^p if \{\n|\ttrue\n\}\n$/g, '')
  test.each([
    ['x==1', 'x == 1'],
    ['(a | b) == c', '(a | b) == c'],
    ['(x == y) == z', 'x == y == z'],
    ['x == (y == z)', 'x == (y == z)'],
    ['not   x', 'not x'],
    ['some  x ,y', 'some x, y'],
    ['some x,y in (a|b)', 'some x, y in (a | b)'],
    ['every x in xs {x>1}', 'every x in xs { x > 1 }'],
    ['every k,v in xs {\nk\nv}', 'every k, v in xs {\n\t\tk\n\t\tv\n\t}'],
    ['x with input as 1 with data.a as 2', 'x with input as 1 with data.a as 2'],
    ['x with input as 1\nwith data.a as 2', 'x with input as 1\n\t\twith data.a as 2'],
  ])('%s', (text, expected) => {
    expect(body(text)).toBe(`\t${expected}\n`)
  })

  test('what would continue the line before it is set apart', () => {
    expect(body('x != 1; -1 == y')).toBe('\tx != 1;\n\t-1 == y\n')
  })
})

test('imports are sorted in groups; keywords that rego.v1 has are left out', () => {
  expect(
    formatted(
      'import data.c\nimport data.a as x # about a\n\nimport rego.v1\nimport future.keywords.in',
    ),
  ).toBe('import data.a as x # about a\nimport data.c\n\nimport rego.v1\n')
  expect(formatted('import future.keywords.in')).toBe('import future.keywords.in\n')
})

test('comments stay with what they are about', () => {
  const text = `# licence


# about the package
package a # a


# about p
p if { # begins
  # first
  x := [ # list
    1, # one
    # two
    2,
    # no more
  ] # closed
  every y in x {
    y > 0
    # inner end
  }

  # end
} # after

# METADATA
# title: q
q := f(
  1,
  2, # two
  # none
)
# last`
  expect(format(text)).toBe(`# licence

# about the package
package a # a

# about p
p if { # begins
	# first
	x := [
		# list
		1, # one
		# two
		2,
		# no more
	] # closed
	every y in x {
		y > 0
		# inner end
	}
	# end
} # after

# METADATA
# title: q
q := f(
	1,
	2, # two
	# none
)

# last
`)
})

test('comments of lines that are joined stay whole', () => {
  const text = 'package a\n\np := 1 + # one\n# above\n2 # two\n\nq := [ # list\n# first\n1,\n2]'
  expect(format(text)).toBe(`package a

p := 1 + # one
# above
2 # two

q := [
	# list
	# first
	1,
	2,
]
`)
})

test('a long chain of operators has no parentheses, which could not be nested so deeply', () => {
  const chain = Array.from({ length: 300 }, (_, i) => `x${i}`).join(' + ')
  expect(formatted(`p := ${chain}`)).toMatch(/^p := \({30,31}x0 \+ x1\)|^p := x0 \+ x1/)
})

test('a template string keeps its text, with the comments in it', () => {
  const text = 'p := $`{[x | # one\n  some x in xs]}`\n'
  expect(formatted(text)).toBe(text)
})

test('a comment behind a statement does not become part of its metadata', () => {
  const text = '# METADATA\n# title: p\np # why\n  := 1\n'
  expect(formatted(text)).toBe('# METADATA\n# title: p\np := 1 # why\n')
})

test('a source with a byte order mark and CR LF', () => {
  expect(format('\ufeffpackage a\r\n\r\n# c  \r\np := 1\r\n')).toBe('package a\n\n# c\np := 1\n')
})

test('a source that does not parse is an error with its place', () => {
  let error: unknown
  try {
    format('package a\n\np := ')
  } catch (caught) {
    error = caught
  }
  expect(error).toBeInstanceOf(RegoError)
  expect((error as RegoError).code).toBe('rego_parse_error')
  expect((error as RegoError).location).toMatchObject({ file: 'a.rego', row: 3 })
})
