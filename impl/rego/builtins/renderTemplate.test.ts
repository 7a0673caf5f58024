import { expect, test } from 'vitest'
import { createEngine } from '../engine.ts'
import { profileBuiltins } from './capabilities.ts'

const engineOf = (variables: string) =>
  createEngine({
    modules: [
      { name: 'p.rego', source: `package p\n\nr := strings.render_template("x", ${variables})` },
    ],
    builtins: profileBuiltins('opa-1.2'),
    dialect: 'opa-1.2',
    strict: true,
  })

test.each([
  ['{"a": {1: 2}}', "invalid character '1' looking for beginning of object key string"],
  ['{"a": [{null: 2}]}', "invalid character 'n' looking for beginning of object key string"],
  ['{"a": {1, 2}}', "invalid character '1' looking for beginning of object key string"],
  ['{"a": {"b"}}', "invalid character '}' after object key"],
  ['{"a": {"b", "c"}}', "invalid character ',' after object key"],
  ['{"a": [set()]}', "invalid character 's' looking for beginning of value"],
])('a template refuses variables that are no JSON: %s', (variables, message) => {
  expect(() => engineOf(variables).prepare('data.p.r').evaluate({})).toThrow(message)
})

test('a template takes variables that are JSON', () => {
  const [row] = engineOf('{"a": {"b": [1, {"c": null}]}}').prepare('data.p.r').evaluate({})
  expect(row?.expressions[0]?.value).toBe('x')
})
