import { describe, expect, test } from 'vitest'
import { builtins } from '../builtins/registry.ts'
import { createEngine } from '../engine.ts'
import { stringify } from '../values/json.ts'

/** Names that mean something to JavaScript are names like others to a policy. */
const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype']

function jsonOf(source: string, options: { inputJson?: string; dataJson?: string } = {}): string {
  const engine = createEngine({ builtins, modules: [{ name: 'a.rego', source }], ...options })
  const [row] = engine.prepare('data.a.p').evaluate(options)
  const value = row?.expressions[0]?.value
  return value === undefined ? 'undefined' : stringify(value)
}

describe.each(names)('%s', (name) => {
  test('as a missing member', () => {
    expect(jsonOf(`package a\n\np := input.${name}`, { inputJson: '{}' })).toBe('undefined')
    expect(jsonOf(`package a\n\np := data.b.${name}`, { dataJson: '{"b": {}}' })).toBe('undefined')
    expect(
      jsonOf(`package a\n\np := x if {\no := {"a": input}\nx := o[input.k]\n}`, {
        inputJson: `{"k": "${name}"}`,
      }),
    ).toBe('undefined')
    expect(jsonOf(`package a\n\np := data.${name}`)).toBe('undefined')
  })

  test('as a member of input and data', () => {
    const json = `{"${name}": {"${name}": 1}}`
    expect(jsonOf(`package a\n\np := input.${name}.${name}`, { inputJson: json })).toBe('1')
    expect(jsonOf('package a\n\np := input', { inputJson: json })).toBe(json.replaceAll(' ', ''))
    expect(jsonOf(`package a\n\np := data.b.${name}.${name}`, { dataJson: `{"b": ${json}}` })).toBe(
      '1',
    )
    expect(jsonOf('package a\n\np := [k | some k, _ in input]', { inputJson: json })).toBe(
      `["${name}"]`,
    )
  })

  test('in objects, sets and comprehensions', () => {
    expect(jsonOf(`package a\n\np := {"${name}": 1}`)).toBe(`{"${name}":1}`)
    expect(jsonOf(`package a\n\np := {"${name}"}`)).toBe(`["${name}"]`)
    expect(jsonOf(`package a\n\np if {"${name}"}["${name}"]`)).toBe('true')
    expect(jsonOf(`package a\n\np := {k: 1 | some k in ["${name}"]}`)).toBe(`{"${name}":1}`)
    expect(jsonOf(`package a\n\np := object.union({"${name}": 1}, {"a": 2})`)).toBe(
      stringifySorted({ [name]: 1, a: 2 }),
    )
    expect(jsonOf(`package a\n\np := object.get({}, "${name}", 7)`)).toBe('7')
    expect(jsonOf(`package a\n\np := json.unmarshal("{\\"${name}\\": 1}")`)).toBe(`{"${name}":1}`)
    expect(jsonOf(`package a\n\np := yaml.unmarshal("${name}: 1")`)).toBe(`{"${name}":1}`)
    expect(jsonOf(`package a\n\np := json.remove({"${name}": 1}, ["/${name}"])`)).toBe('{}')
    expect(
      jsonOf(`package a\n\np := json.patch({}, [{"op": "add", "path": "/${name}", "value": 1}])`),
    ).toBe(`{"${name}":1}`)
    expect(jsonOf(`package a\n\np := json.match_schema({}, {"required": ["${name}"]})[0]`)).toBe(
      'false',
    )
    expect(
      jsonOf(
        `package a\n\np := json.match_schema({"${name}": 1}, {"properties": {"${name}": {"type": "string"}}})[0]`,
      ),
    ).toBe('false')
    expect(jsonOf(`package a\n\np := graph.reachable({"${name}": ["a"]}, ["${name}"])`)).toBe(
      JSON.stringify([name]),
    )
    expect(jsonOf(`package a\n\np := urlquery.decode_object("${name}=1")`)).toBe(
      `{"${name}":["1"]}`,
    )
    expect(
      jsonOf(`package a\n\np := strings.render_template("{{.${name}}}", {"${name}": "x"})`),
    ).toBe('"x"')
  })

  test('as the name of a package, rule, function, argument and variable', () => {
    expect(jsonOf(`package a\n\n${name} := 1\np := ${name}`)).toBe('1')
    expect(jsonOf(`package a\n\n${name} contains 1\np := ${name}`)).toBe('[1]')
    expect(jsonOf(`package a\n\n${name}.b.${name} := 1\np := ${name}`)).toBe(`{"b":{"${name}":1}}`)
    expect(jsonOf(`package a\n\nq["${name}"] := 1\np := q`)).toBe(`{"${name}":1}`)
    expect(jsonOf(`package a\n\nq[k] := 1 if some k in ["${name}"]\np := q`)).toBe(`{"${name}":1}`)
    expect(jsonOf(`package a\n\n${name}(x) := x + 1\np := ${name}(1)`)).toBe('2')
    expect(jsonOf(`package a\n\nf(${name}) := ${name} + 1\np := f(1)`)).toBe('2')
    expect(jsonOf(`package a\n\np := x if {\n${name} := 1\nx := ${name}\n}`)).toBe('1')
    expect(
      jsonOf(`package a\n\np := x if x := input.b with input.b as 2 with input.${name} as 3`),
    ).toBe('2')
    expect(jsonOf(`package a\n\np := x if x := input with input.${name} as 3`)).toBe(
      `{"${name}":3}`,
    )
    const source = `package ${name}\n\n${name} := 1`
    const engine = createEngine({ builtins, modules: [{ name: 'a.rego', source }] })
    expect(engine.evaluateRule(`${name}.${name}`)).toBe(1)
    expect(engine.hasRule(`${name}.a`)).toBe(false)
  })

  test('as a function that does not exist', () => {
    expect(() => jsonOf(`package a\n\np := ${name}(1)`)).toThrow('undefined function')
    expect(createEngine({ builtins, modules: [] }).hasRule(name)).toBe(false)
  })
})

const byCode = (a: string, b: string): number => (a < b ? -1 : 1)

const stringifySorted = (object: Record<string, number>): string =>
  `{${Object.entries(object)
    .sort(([a], [b]) => byCode(a, b))
    .map(([k, v]) => `"${k}":${v}`)
    .join()}}`

test('the prototype of objects is unchanged', () => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as { readonly a?: unknown }).a).toBeUndefined()
})
