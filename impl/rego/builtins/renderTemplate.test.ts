import { expect, test } from 'vitest'
import { createEngine } from '../engine.ts'
import { profileBuiltins } from './capabilities.ts'

test.each([
  ['{"a": {1: 2}}', "invalid character '1' looking for beginning of object key string"],
  ['{"a": [{null: 2}]}', "invalid character 'n' looking for beginning of object key string"],
  ['{"a": {1, 2}}', "invalid character '1' looking for beginning of object key string"],
  ['{"a": {"b"}}', "invalid character '}' after object key"],
  ['{"a": {"b", "c"}}', "invalid character ',' after object key"],
  ['{"a": [set()]}', "invalid character 's' looking for beginning of value"],
])('a template refuses variables that are no JSON: %s', (variables, message) => {
  expect(() => rendered('x', variables)).toThrow(message)
})

test('a template takes variables that are JSON', () => {
  expect(rendered('x', '{"a": {"b": [1, {"c": null}]}}')).toBe('x')
})

/** The results of OPA 1.2, where numbers of the variables are strings of a type of their own. */
const ALIKE: readonly (readonly [string, string, string])[] = [
  [
    '{{.x}}|{{.l}}|{{.o}}|{{print .x}}',
    '{"x": null, "l": [null], "o": {"a": null}}',
    '<no value>|[<nil>]|map[a:<nil>]|<nil>',
  ],
  [
    '{{and .x "a"}}|{{or .x .y}}|{{or "" .x}}',
    '{"x": null, "y": false}',
    '<no value>|false|<no value>',
  ],
  ['{{if .n}}yes{{end}}{{with .n}}{{.}}{{end}}', '{"n": 0}', 'yes0'],
  ['{{lt .n .m}} {{eq .n "3"}} {{len .n}}', '{"n": 3, "m": 20}', 'false true 1'],
  ['{{.n}} {{print .n}} {{eq .n .m}}', '{"n": 1e3, "m": 1000}', '1e3 1e3 false'],
  ['{{index .s 0}} {{len .s}} {{index .o "b"}}', '{"s": "é", "o": {}}', '195 2 <no value>'],
  [
    '{{range 3}}a{{end}}{{range $i := 2}}{{$i}}{{end}}{{range .x}}{{else}}b{{end}}',
    '{"x": null}',
    'aaa01b',
  ],
  ["{{1.0}} {{1e3}} {{0x10}} {{010}} {{'a'}} {{'\\n'}}", '{}', '1 1000 16 8 97 10'],
  ['{{eq .x .l}} {{eq nil .x}} {{ne .x 1}}', '{"x": null, "l": [1]}', 'false true true'],
]

test.each(ALIKE)('renders %s with %s', (template, variables, expected) => {
  expect(rendered(template, variables)).toBe(expected)
})

const REFUSED: readonly (readonly [string, string, string])[] = [
  ['{{lt .n 5}}', '{"n": 3}', 'lt: incompatible types for comparison: json.Number and int'],
  ['{{eq .n 3}}', '{"n": 3}', 'eq: incompatible types for comparison: json.Number and int'],
  ['{{eq 1 1.0}}', '{}', 'eq: incompatible types for comparison: int and float64'],
  ['{{eq .l .l}}', '{"l": [1]}', 'eq: non-comparable types'],
  ['{{eq 1}}', '{}', 'eq: missing argument for comparison'],
  ['{{lt .t .t}}', '{"t": true}', 'lt: invalid type for comparison'],
  ['{{lt .x 1}}', '{"x": null}', 'lt: invalid type for comparison'],
  ['{{len .x}}', '{"x": null}', 'len of nil pointer'],
  ['{{len .t}}', '{"t": true}', 'len of type bool'],
  ['{{index .x 0}}', '{"x": null}', 'index of untyped nil'],
  ['{{index .l .x}}', '{"l": [1], "x": null}', 'cannot index slice/array with nil'],
  ['{{index .l .n}}', '{"l": [1], "n": 0}', 'cannot index slice/array with type json.Number'],
  ['{{index .l 5}}', '{"l": [1]}', 'index out of range: 5'],
  ['{{index .o 1}}', '{"o": {}}', 'value has type int; should be string'],
  ['{{index .o .x}}', '{"o": {}, "x": null}', 'value is nil; should be of type string'],
  ['{{index .t 0}}', '{"t": true}', "can't index item of type bool"],
  ['{{range .n}}{{end}}', '{"n": 3}', "range can't iterate over 3"],
  ['{{range .s}}{{end}}', '{"s": "abc"}', "range can't iterate over abc"],
  ['{{.s.z}}', '{"s": "a"}', "can't evaluate field z in type interface {}"],
  ['{{.x.z}}', '{"x": null}', 'nil pointer evaluating interface {}.z'],
  ['{{not}}', '{}', 'wrong number of args for not: want 1 got 0'],
  ['{{lt 1 2 3}}', '{}', 'wrong number of args for lt: want 2 got 3'],
  ['{{and}}', '{}', 'wrong number of args for and: want at least 1 got 0'],
  ['{{nil}}', '{}', 'nil is not a command'],
  ['{{09}}', '{}', 'bad number syntax: "09"'],
]

test.each(REFUSED)('refuses %s with %s', (template, variables, message) => {
  expect(() => rendered(template, variables)).toThrow(message)
})

test('a range over a large number takes steps', () => {
  expect(() => rendered('{{range 100000000}}{{end}}', '{}')).toThrow('steps')
})

function rendered(template: string, variables: string): unknown {
  const rule = `r := strings.render_template(${JSON.stringify(template)}, ${variables})`
  const [row] = createEngine({
    modules: [{ name: 'p.rego', source: `package p\n\n${rule}` }],
    builtins: profileBuiltins('opa-1.2'),
    dialect: 'opa-1.2',
    strict: true,
    limits: { steps: 1_000_000 },
  })
    .prepare('data.p.r')
    .evaluate({})
  return row?.expressions[0]?.value
}
