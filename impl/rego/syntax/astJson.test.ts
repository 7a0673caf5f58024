import { expect, test } from 'vitest'
import { bodyJson, moduleJson, termJson } from './astJson.ts'
import { parseModule, parseQuery, parseTerm } from './parser.ts'
import { Source } from './source.ts'

const string = (value: string) => ({ type: 'string', value })
const variable = (value: string) => ({ type: 'var', value })
const number = (value: number) => ({ type: 'number', value })
const ref = (...value: unknown[]) => ({ type: 'ref', value })

test('terms', () => {
  expect(termJson(parseTerm('input.a[x]'))).toEqual(
    ref(variable('input'), string('a'), variable('x')),
  )
  expect(termJson(parseTerm('{"k": {1}}'))).toEqual({
    type: 'object',
    value: [[string('k'), { type: 'set', value: [number(1)] }]],
  })
  expect(termJson(parseTerm('x + 1'))).toEqual({
    type: 'call',
    value: [ref(variable('plus')), variable('x'), number(1)],
  })
  expect(termJson(parseTerm('{x: 1 | x}'))).toEqual({
    type: 'objectcomprehension',
    value: { key: variable('x'), value: number(1), body: [{ index: 0, terms: variable('x') }] },
  })
})

test('literals', () => {
  const body = parseQuery(new Source('q', 'not x; json.marshal(1) with input as 2; some y in z'))
  expect(bodyJson(body)).toEqual([
    { index: 0, negated: true, terms: variable('x') },
    {
      index: 1,
      terms: [ref(variable('json'), string('marshal')), number(1)],
      with: [{ target: ref(variable('input')), value: number(2) }],
    },
    {
      index: 2,
      terms: {
        symbols: [
          {
            type: 'call',
            value: [ref(variable('internal'), string('member_2')), variable('y'), variable('z')],
          },
        ],
      },
    },
  ])
})

test('modules', () => {
  const source =
    'package a.b\nimport data.c as d\ndefault p := 1\nf(x) := 2 if x else := 3\nq contains 4\nr = 5'
  const nothing = [{ index: 0, terms: { type: 'boolean', value: true } }]
  expect(moduleJson(parseModule(new Source('a.rego', source)))).toEqual({
    package: { path: [variable('data'), string('a'), string('b')] },
    imports: [{ path: ref(variable('data'), string('c')), alias: 'd' }],
    rules: [
      {
        default: true,
        head: { assign: true, name: 'p', ref: [variable('p')], value: number(1) },
        body: nothing,
      },
      {
        head: {
          assign: true,
          name: 'f',
          ref: [variable('f')],
          args: [variable('x')],
          value: number(2),
        },
        body: [{ index: 0, terms: variable('x') }],
        else: {
          head: {
            assign: true,
            name: 'f',
            ref: [variable('f')],
            args: [variable('x')],
            value: number(3),
          },
          body: nothing,
        },
      },
      { head: { name: 'q', ref: [variable('q')], key: number(4) }, body: nothing },
      { head: { name: 'r', ref: [variable('r')], value: number(5) }, body: nothing },
    ],
  })
})
