import { type Attack, repeat } from './attack.ts'

const source = (name: string, text: string): Attack => ({ name, source: `package a\n\n${text}\n` })

const lines = (count: number, line: (i: number) => string, by = '\n'): string =>
  Array.from({ length: count }, (_, i) => line(i)).join(by)

const N = 20_000

/** Sources with excessive nesting, repetition or length. */
export const sources: readonly Attack[] = [
  source('brackets', `p := ${repeat('[', N)}`),
  source('brackets, closed', `p := ${repeat('[', N)}1${repeat(']', N)}`),
  source('parentheses', `p := ${repeat('(', N)}1${repeat(')', N)}`),
  source('braces', `p := ${repeat('{', N)}1${repeat('}', N)}`),
  source('objects', `p := ${repeat('{"a": ', N)}1${repeat('}', N)}`),
  source('objects in keys', `p := ${repeat('{', N)}1${repeat(': 1}', N)}`),
  source('not', `p if { ${repeat('not ', N)} 1 }`),
  source('minus', `p := ${repeat('-', N)} 1`),
  source('comprehensions', `p := ${repeat('[x | x = ', N)}1${repeat(']', N)}`),
  source('comprehensions of sets', `p := ${repeat('{x | x = ', N)}1${repeat('}', N)}`),
  source('comprehensions in heads', `p := ${repeat('[', N)}1${repeat(' | true]', N)}`),
  source('comprehensions at the bound', `p := ${repeat('[x | x = ', 60)}1${repeat(']', 60)}`),
  source('braces at the bound', `p if ${repeat('{', 60)}1${repeat('}', 60)}`),
  source('ambiguous bars', `p := ${repeat('[x | y, ', 90)}1${repeat(']', 90)}`),
  source(
    'ambiguous bars in objects',
    `p := ${repeat('{"a": x | y, "b": ', 90)}1${repeat('}', 90)}`,
  ),
  source('ambiguous commas', `p := ${repeat('(x, ', 90)}1${repeat(')', 90)}`),
  source('ambiguous members', `p if ${repeat('(x, ', 60)}1${repeat(' in y)', 60)}`),
  source('ambiguous bodies', `p if { {${repeat('{x: ', 60)}1${repeat('}', 60)}} }`),
  source('calls', `p := ${repeat('f(', N)}1${repeat(')', N)}`),
  source('references in references', `p := ${repeat('a[', N)}1${repeat(']', N)}`),
  source('every', `p if { ${repeat('every x in [1] { ', N)} true ${repeat('}', N)} }`),
  source(
    'every at the bound',
    `p if { ${lines(60, (i) => `every x${i} in [1] { `, '')} true ${repeat('}', 60)} }`,
  ),
  source(
    'with in with',
    `p if { q with input as ${repeat('[1 | q with input as ', N)} 1 ${repeat(']', N)} }`,
  ),
  source('many withs', `p if { q ${repeat(' with input.a as 1', N)} }\n\nq := 1`),
  source(
    'many withs of different places',
    `p if { q ${lines(2_000, (i) => ` with input.a${i} as 1`, '')} }\n\nq := 1`,
  ),
  source('a long sum', `p := 1${repeat(' + 1', N)}`),
  source('a long sum within the bound', `p := 1${repeat(' + 1', 900)}`),
  source('a long product of sums', `p := 1${repeat(' + 1 * 2', N)}`),
  source('a long union', `p := {1}${repeat(' | {1}', N)}`),
  source('a long comparison', `p if 1${repeat(' == 1', N)}`),
  source('a long membership', `p if 1${repeat(' in [1]', N)}`),
  source('a long chain of else', `p := 1 if { false }${repeat(' else := 2 if { false }', N)}`),
  source('a long reference', `p := input${repeat('.a', N)}`),
  source('a long reference within the bound', `p := input${repeat('.a', 900)}`),
  source('a long reference of calls', `f(x) := x\n\np := f${repeat('(1)', N)}`),
  source('a long rule name', `p${repeat('.a', N)} := 1`),
  source('a long rule name within the bound', `p${repeat('.a', 900)} := 1`),
  { name: 'a long package', source: `package a${repeat('.b', N)}\n\np := 1\n` },
  { name: 'a long package within the bound', source: `package a${repeat('.b', 900)}\n\np := 1\n` },
  source(
    'many rules',
    lines(N, (i) => `r${i} := ${i}`),
  ),
  source(
    'many rules of one name',
    lines(N, (i) => `p contains ${i}`),
  ),
  source(
    'many rules of one name with bodies',
    lines(N, (i) => `p := 1 if input.x == ${i}`),
  ),
  source(
    'many default rules',
    lines(N, () => 'default p := 1'),
  ),
  source(
    'many keys of one object',
    lines(N, (i) => `p.k${i} := ${i}`),
  ),
  source('many imports', `${lines(N, (i) => `import data.b${i}`)}\np := 1`),
  source('many literals', `p if {\n${lines(N, (i) => `x${i} := ${i}`)}\n}`),
  source(
    'many literals, each of the last',
    `p if {\nx0 := 1\n${lines(3_000, (i) => `x${i + 1} := x${i}`)}\n}`,
  ),
  source(
    'many literals, each of the next',
    `p if {\n${lines(3_000, (i) => `x${i} = x${i + 1}`)}\nx3000 = 1\n}`,
  ),
  source('many unsafe literals', `p if {\n${lines(3_000, (i) => `x${i} = x${i + 1}`)}\n}`),
  source('many conditions', `p if {\n${lines(N, (i) => `input.x != ${i}`)}\n}`),
  source('many conditions that hold', `p if {\n${lines(N, (i) => `${i + 1} != ${i}`)}\n}`),
  source(
    'many variables of some',
    `p if {\nsome ${lines(N, (i) => `x${i}`, ', ')}\n${lines(N, (i) => `x${i} = 1`)}\n}`,
  ),
  source(
    'many arguments',
    `f(${lines(N, (i) => `x${i}`, ', ')}) := 1\np := f(${lines(N, (i) => `${i}`, ', ')})`,
  ),
  source(
    'many arguments more than a stack',
    `f(${lines(70_000, (i) => `x${i}`, ', ')}) := 1\np := f(${lines(70_000, (i) => `${i}`, ', ')})`,
  ),
  source('many arguments of a built-in', `p := max(${lines(N, (i) => `${i}`, ', ')})`),
  source('many items', `p := [${lines(150_000, (i) => `${i}`, ',')}]`),
  source('many items of a set', `p := {${lines(150_000, (i) => `${i}`, ',')}}`),
  source('many items that are not constant', `p := [${lines(100_000, () => 'input', ',')}]`),
  source('many members of an object', `p := {${lines(60_000, (i) => `"k${i}": ${i}`, ',')}}`),
  source(
    'many members that are not constant',
    `p := {${lines(40_000, (i) => `"k${i}": input`, ',')}}`,
  ),
  source(
    'a big pattern',
    `p if {\n[${lines(3_000, (i) => `x${i}`, ',')}] = [${lines(3_000, (i) => `${i}`, ',')}]\n}`,
  ),
  source(
    'a big pattern, backwards',
    `p if {\n[${lines(1_000, (i) => `x${i}`, ',')}] = [${lines(1_000, (i) => `x${i + 1}`, ',')}]\nx1000 = 1\n}`,
  ),
  source(
    'big patterns of objects',
    `p if {\n{${lines(3_000, (i) => `"a${i}": x${i}`, ',')}} = {${lines(3_000, (i) => `"a${i}": ${i}`, ',')}}\n}`,
  ),
  source(
    'a deep pattern',
    `p if {\n${repeat('[x, ', 90).replaceAll('x', '_')}y${repeat(']', 90)} = ${repeat('[1, ', 90)}2${repeat(']', 90)}\n}`,
  ),
  source(
    'comprehensions side by side',
    `p if {\n${lines(2_000, (i) => `x${i} := [y | some y in [${i}]]`)}\n}`,
  ),
  source(
    'comprehensions that use all',
    `p if {\n${lines(300, (i) => `x${i} := [y | some y in [${lines(i, (j) => `x${j}`, ',')}]]`)}\n}`,
  ),
  source(
    'rules that use all',
    lines(700, (i) => `r${i} := [${lines(i, (j) => `r${j}`, ',')}]`),
  ),
  source(
    'references with unknown keys',
    `${lines(500, (i) => `q.r${i}.s := 1`)}\n${lines(500, (i) => `p${i} := data.a.q[input.x][input.y]`)}`,
  ),
  source(
    'references to all',
    lines(1_500, (i) => `r${i} := count(data.b[_].r${i})`),
  ),
  source(
    'a circle',
    lines(5_000, (i) => `r${i} := r${(i + 1) % 5_000}`),
  ),
  source('a long string', `p := "${repeat('a', 1_000_000)}"`),
  source('a long string of escapes', `p := "${repeat('\\u0061', 150_000)}"`),
  source('a long string that does not end', `p := "${repeat('a', 1_000_000)}`),
  source('a long raw string', `p := \`${repeat('a\n', 500_000)}\``),
  source('a long identifier', `${repeat('p', 1_000_000)} := 1`),
  source('a long number', `p := ${repeat('1', 1_000_000)}`),
  source('a long fraction', `p := 1.${repeat('1', 1_000_000)}`),
  source('a long exponent', `p := 1e${repeat('1', 1_000_000)}`),
  source('a long comment', `# ${repeat('c', 1_000_000)}\np := 1`),
  source('many comments', `${repeat('#\n', 500_000)}p := 1`),
  source(
    'metadata that is a bomb',
    `# METADATA\n# title: &a [1]\n${lines(60, (i) => `# x${i}: &b${i} [*a, *a, *a]`)}\np := 1`,
  ),
  source('metadata that nests', `# METADATA\n# title: ${repeat('[', N)}\np := 1`),
  source(
    'metadata often',
    lines(3_000, (i) => `# METADATA\n# title: t\nr${i} := 1`),
  ),
  source('templates', `p := ${repeat('$"{', N)}1${repeat('}"', N)}`),
  source('templates at the bound', `p := ${repeat('$"{', 30)}1${repeat('}"', 30)}`),
  source('many lines', `p := 1\n${repeat('\n', 1_000_000)}`),
  source('many semicolons', `p if { ${repeat(';', 1_000_000)} 1 }`),
  source('many errors of a row', `p := ${repeat('1\u0000', 100_000)}`),
  { name: 'ten megabytes', source: `package a\n\n${lines(700_000, (i) => `r${i} := ${i}`)}\n` },
  { name: 'ten megabytes of nothing', source: repeat(' ', 10_000_000) },
  { name: 'ten megabytes of brackets', source: `package a\n\np := ${repeat('[', 10_000_000)}` },
]
