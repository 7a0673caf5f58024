import { expect, it } from 'vitest'
import { emptyOf, type Schema, shapeOf, skeletonOfMembers } from './schema.ts'
import { problemsOf } from './validateParams.ts'

const components = {
  schemas: {
    Color: { anyOf: [{ const: 'red' }, { const: 'blue' }] },
    Point: { type: 'object', required: ['x'], properties: { x: { type: 'integer' }, y: {} } },
    Loop: { $ref: '#/components/schemas/Loop' },
  },
} as const

it.each<[string, Schema, object, unknown]>([
  ['a text', { type: 'string' }, { kind: 'text' }, ''],
  [
    'a reference to constants',
    { $ref: '#/components/schemas/Color' },
    { kind: 'choice', values: ['red', 'blue'] },
    'red',
  ],
  ['an enumeration', { enum: [1, null] }, { kind: 'choice', values: [1, null] }, 1],
  ['text or null', { type: ['string', 'null'] }, { kind: 'union' }, ''],
  [
    'a constant or null',
    { anyOf: [{ const: 'a' }, { type: 'null' }] },
    { kind: 'choice', values: ['a', null] },
    'a',
  ],
  ['one branch', { oneOf: [{ type: 'boolean' }] }, { kind: 'boolean' }, false],
  [
    'a list',
    { type: 'array', items: { type: 'number' } },
    { kind: 'list', items: { type: 'number' } },
    [],
  ],
  ['a list of anything', { type: 'array' }, { kind: 'list', items: {} }, []],
  ['an object', { $ref: '#/components/schemas/Point' }, { kind: 'members' }, {}],
  ['an object of any members', { type: 'object' }, { kind: 'json' }, {}],
  ['anything', {}, { kind: 'json' }, {}],
  ['a reference to itself', { $ref: '#/components/schemas/Loop' }, { kind: 'json' }, {}],
  ['a reference to nothing', { $ref: '#/components/schemas/None' }, { kind: 'json' }, {}],
  ['a reference elsewhere', { $ref: 'https://other.example/schema' }, { kind: 'json' }, {}],
])('%s', (_, schema, shape, empty) => {
  expect(shapeOf(schema, components)).toMatchObject(shape)
  expect(emptyOf(schema, components)).toEqual(empty)
})

const point = { name: 'point', required: true, schema: { $ref: '#/components/schemas/Point' } }

it('starts with the objects and lists that are required', () => {
  const list = { name: 'list', required: true, schema: { type: 'array' } }
  const text = { name: 'text', required: true, schema: { type: 'string' } }
  const other = { ...point, name: 'other', required: false }
  expect(skeletonOfMembers([point, list, text, other], components)).toEqual({ point: {}, list: [] })
})

it.each<[unknown, Record<string, string>]>([
  [{ point: { x: 1 } }, {}],
  [{}, { point: 'is required' }],
  [{ point: {} }, { 'point.x': 'is required' }],
  [{ point: { x: 'a' } }, { 'point.x': 'Instance type "string" is invalid. Expected "integer".' }],
  [{ point: { x: 1 }, hex: '0' }, { hex: 'does not have the required form' }],
  [
    { point: { x: 1 }, list: [1, 'a'] },
    { 'list.1': 'Instance type "string" is invalid. Expected "number".' },
  ],
])('finds what is wrong with %j', (params, problems) => {
  const hex = { name: 'hex', required: false, schema: { type: 'string', pattern: '^0x$' } }
  const list = {
    name: 'list',
    required: false,
    schema: { type: 'array', items: { type: 'number' } },
  }
  expect(Object.fromEntries(problemsOf(params, [point, hex, list], components))).toEqual(problems)
})
