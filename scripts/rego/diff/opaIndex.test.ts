import { expect, test } from 'vitest'
import { type DiffProgram, shown } from './answers.ts'
import { Here } from './here.ts'
import { asIndexed, inOtherOrders } from './opaIndex.ts'

const program = (source: string): DiffProgram => ({
  modules: [{ name: 'test.rego', source: `package test\n\n${source}` }],
  query: 'data.test.p',
  strict: true,
  input: '{"n": 1, "list": [1, 2, 3]}',
  data: '{"base": {"x": 1}}',
})

/** The kind of an answer here in the profile `opa-1.2`: a value, `undefined`, or the code of an error. */
function answerTo(asked: DiffProgram): string {
  const answer = new Here('opa-1.2').answer(asked)
  return answer.kind === 'error' ? answer.codes[0]! : shown(answer)
}

const FAILING = 'rem(0, 0)'

/** Bodies that fail here, of which OPA 1.2.0 evaluates nothing. */
const LEFT_OUT: readonly string[] = [
  'y = input.none',
  'y = data.base.none.z',
  'y = data.test.q.b',
  'count(input.none) == 1',
  '1 in input.none',
  'every y in input.none { y == 1 }',
  'some y in [input.none]\n\ty == 1',
  'some y in ({1} | input.none)\n\ty == 1',
  'some y in input.list[input.none]\n\ty == 1',
  'not input.none >= 0',
  'not count(input.none) == 1',
  'not input.n == [input.none]',
  'not input.n[input.none]',
  '1 with input.y as input.none',
  'not 0 == 1 with input.y as [count(input.none)]',
  'some y in [1] with data.test.q as input.none',
  'input.n == 0',
  '0 = input.n',
  '[1, 2] == input.list',
  'glob.match("a:b", [":"], input.n)',
]

test.each(LEFT_OUT)('a rule with %s is left out before it fails', (statement) => {
  const asked = program(`q.a := 1\n\np := 0 if {\n\t${FAILING}\n\t${statement}\n}`)
  expect(answerTo(asked)).toBe('eval_builtin_error')
  expect(answerTo(asIndexed(asked))).toBe('undefined')
})

/** Bodies that fail here and in OPA 1.2.0. */
const KEPT: readonly string[] = [
  'input.none',
  'some y in input.none\n\ty == 1',
  'y := q.none',
  'not input.none',
  'not input.none == 0',
  'not input.none >= 0 with input.y as 1',
  'not {1 | input.none}',
  'every y in [1] { y == 1 with input.z as input.none }',
  '1 with input.y as input',
  'input.n > 1',
  'input.n == 0 with input.y as 1',
  'print("a")\n\ty = input.none',
  'glob.match("a*", [":"], input.n)',
]

test.each(KEPT)('a rule with %s is not left out', (statement) => {
  const asked = program(`q[x] := 1 if x := "a"\n\np := 0 if {\n\t${FAILING}\n\t${statement}\n}`)
  expect(answerTo(asIndexed(asked))).toBe('eval_builtin_error')
})

test.each([
  ['p := [rem(0, 0), input.none]', 'undefined'],
  ['p contains input.none if {\n\trem(0, 0)\n}', '[]'],
  ['p[input.none] := 1 if {\n\trem(0, 0)\n}', '{}'],
  ['f(x) := [rem(0, x), input.none]\n\np := f(0)', 'undefined'],
  ['f(x) := rem(0, 0) if {\n\ty := rem(0, 0)\n\tx == 2\n}\n\np := f(1)', 'undefined'],
  ['p := 0 if {\n\trem(0, 0)\n\ty = input.none\n} else := 2', '2'],
])('%s is %s without an error', (source, expected) => {
  expect(answerTo(program(source))).toBe('eval_builtin_error')
  expect(answerTo(asIndexed(program(source)))).toBe(expected)
})

test('each rule is once the first of its name', () => {
  const orders = [...inOtherOrders(program('q := 1\n\np if 1\n\nr := 2\n\np if 2\n\np if 3'))]
  const texts = orders.map(({ modules }) => modules[0]!.source.replace(/\s+/g, ' '))
  expect([...new Set(texts)]).toEqual([
    'package test q := 1 p if 2 p if 1 r := 2 p if 3',
    'package test q := 1 p if 3 p if 1 r := 2 p if 2 ',
  ])
})
