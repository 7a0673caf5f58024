import { expect, test } from 'vitest'
import { profileBuiltins } from '../builtins/capabilities.ts'
import { checkModules } from '../check/checkModules.ts'
import type { SchemaSet } from './schemas.ts'

const builtins = profileBuiltins('opa-1.2')

const pod = {
  type: 'object',
  definitions: {
    container: { type: 'object', properties: { name: { type: 'string' } } },
    tree: { type: 'object', properties: { below: { $ref: '#/definitions/tree' } } },
  },
  properties: {
    kind: { type: 'string' },
    list: { type: 'array', items: { $ref: '#/definitions/container' } },
    either: {
      anyOf: [
        { type: 'object', properties: { a: { type: 'string' } } },
        { type: 'object', properties: { b: { type: 'string' } } },
      ],
    },
    both: {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } } },
        { type: 'object', properties: { b: { type: 'string' } } },
      ],
    },
    tree: { $ref: '#/definitions/tree' },
    open: { type: 'object' },
  },
}

const named: SchemaSet = { named: new Map([['kubernetes/pod', pod]]) }

const errors = (body: string, annotation = '#   - input: schema.kubernetes.pod', schemas = named) =>
  checkModules({
    modules: [
      { name: 'p.rego', source: `# METADATA\n# schemas:\n${annotation}\npackage p\n\n${body}\n` },
    ],
    builtins,
    dialect: 'opa-1.2',
    schemas,
  }).errors.map(({ error: { message } }) => message.split('\n')[0])

test.each([
  ['p if input.kind == "Pod"', undefined],
  ['p if input.kinds == "Pod"', 'undefined ref: input.kinds'],
  ['p if input.kind == 1', 'match error'],
  ['p if {\n\tsome c in input.list\n\tc.image == "x"\n}', 'undefined ref: c.image'],
  ['p if input.either.a == input.either.b', undefined],
  ['p if input.either.c', 'undefined ref: input.either.c'],
  ['p if input.both.a == input.both.b', undefined],
  ['p if input.both.c', 'undefined ref: input.both.c'],
  ['p if input.tree.below.below.below.anything', undefined],
  ['p if input.open.anything', undefined],
])('%s', (body, message) => {
  expect(errors(body)).toEqual(message === undefined ? [] : [message])
})

test('a schema may be in the annotation, and of a part of a document', () => {
  const own = '#   - input.spec: {type: object, properties: {n: {type: integer}}}'
  expect(errors('p if input.spec.n == "a"', own)).toEqual(['match error'])
  expect(errors('p if input.other.n == "a"', own)).toEqual([])
  const data = '#   - data.limits: {type: object, properties: {n: {type: integer}}}'
  expect(errors('p if data.limits.m', data)).toEqual(['undefined ref: data.limits.m'])
})

test('a schema of a rule replaces that of its package', () => {
  const body = `# METADATA
# schemas:
#   - input: {type: object, properties: {own: {type: string}}}
p if input.own == "a"`
  expect(errors(body)).toEqual([])
  expect(errors(body.replace('input.own', 'input.kind'))).toEqual(['undefined ref: input.kind'])
})

test('a schema that is not there is an error, and one for all inputs needs no annotation', () => {
  expect(errors('p if input.kind', '#   - input: schema.other')).toEqual([
    'undefined schema: schema.other',
  ])
  const modules = [{ name: 'p.rego', source: 'package p\n\np if input.kinds\n' }]
  const schemas = { input: pod, named: new Map() }
  const found = checkModules({ modules, builtins, dialect: 'opa-1.2', schemas }).errors
  expect(found.map(({ error }) => error.message.split('\n')[0])).toEqual([
    'undefined ref: input.kinds',
  ])
})
