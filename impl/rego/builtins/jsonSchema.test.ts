import { describe, expect, it } from 'vitest'
import { toJson } from '../values/json.ts'
import { call, set } from './builtinCalls.fixture.ts'

function problems(document: unknown, schema: unknown): [boolean, string[]] {
  const answer = toJson(
    call('json.match_schema', { x: document }, { properties: { x: schema } }) ?? null,
  )
  const [valid, found] = answer as [boolean, { error: string }[]]
  return [valid, found.map(({ error }) => error)]
}

describe('json.match_schema', () => {
  it.each<[unknown, unknown, string[]]>([
    [1, { type: 'integer' }, []],
    [
      1.5,
      { type: ['integer', 'string'] },
      ['x: Invalid type. Expected: [integer,string], given: number'],
    ],
    [3, { enum: [1, 'a'] }, ['x: x must be one of the following: 1, "a"']],
    [3, { const: 4 }, ['x: x does not match: 4']],
    [
      5,
      { minimum: 6, multipleOf: 2 },
      ['x: Must be a multiple of 2', 'x: Must be greater than or equal to 6'],
    ],
    [5, { exclusiveMaximum: 5 }, ['x: Must be less than 5']],
    [5, { maximum: 5, exclusiveMaximum: true }, ['x: Must be less than 5']],
    [
      'ab',
      { minLength: 3, pattern: '^b' },
      ['x: String length must be greater than or equal to 3', "x: Does not match pattern '^b'"],
    ],
    ['2024-02-30', { format: 'date' }, ["x: Does not match format 'date'"]],
    ['::1', { format: 'ipv6' }, []],
    [
      [1, 'a'],
      { items: { type: 'integer' } },
      ['x.1: Invalid type. Expected: integer, given: string'],
    ],
    [
      [1, 1],
      { uniqueItems: true, maxItems: 1 },
      ['x: Array must have at most 1 items', 'x: array items[0,1] must be unique'],
    ],
    [[1, 2], { items: [{}], additionalItems: false }, ['x: No additional items allowed on array']],
    [
      [1],
      { contains: { type: 'string' } },
      [
        'x: At least one of the items must match',
        'x.0: Invalid type. Expected: string, given: integer',
      ],
    ],
    [
      { a: 1 },
      { required: ['b'], additionalProperties: false },
      ['x: b is required', 'x: Additional property a is not allowed'],
    ],
    [
      { a1: 'x' },
      { patternProperties: { '^a': { type: 'number' } } },
      ['x.a1: Invalid type. Expected: number, given: string'],
    ],
    [{ a: 1 }, { dependencies: { a: ['b'] } }, ['x: Has a dependency on b']],
    [
      { ab: 1 },
      { propertyNames: { maxLength: 1 } },
      [
        'x: Property name of "ab" does not match',
        'x: String length must be less than or equal to 1',
      ],
    ],
    [1, { not: { type: 'integer' } }, ['x: Must not validate the schema (not)']],
    [
      1,
      { oneOf: [{ type: 'integer' }, { minimum: 0 }] },
      ['x: Must validate one and only one schema (oneOf)'],
    ],
    [
      1,
      { anyOf: [{ type: 'string' }] },
      [
        'x: Must validate at least one schema (anyOf)',
        'x: Invalid type. Expected: string, given: integer',
      ],
    ],
    [
      1,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { type: 'integer' }, then: { minimum: 2 } },
      ['x: Must validate "then" as "if" was valid', 'x: Must be greater than or equal to 2'],
    ],
  ])('%j %j', (document, schema, wanted) => {
    expect(problems(document, schema)).toEqual([wanted.length === 0, wanted])
  })

  const DRAFT = 'http://json-schema.org/draft-0'
  it.each<[unknown, unknown, string[]]>([
    [
      { admin: true },
      { $schema: `${DRAFT}4/schema#`, properties: { user: {} }, additionalProperties: false },
      ['(Root): Additional property admin is not allowed'],
    ],
    [
      { list: [1, 2] },
      {
        $schema: `${DRAFT}4/schema#`,
        properties: { list: { items: [{ type: 'integer' }], additionalItems: false } },
      },
      ['list: No additional items allowed on array'],
    ],
    // Keywords of later drafts mean nothing.
    [
      { a: 1 },
      { $schema: `${DRAFT}4/schema#`, not: { const: 2 } },
      ['(Root): Must not validate the schema (not)'],
    ],
    [
      { a: 1 },
      { $schema: `${DRAFT}4/schema#`, properties: { a: { not: { contains: { type: 'null' } } } } },
      ['a: Must not validate the schema (not)'],
    ],
    [
      { a: 1 },
      {
        $schema: `${DRAFT}6/schema#`,
        not: {
          if: true,
          else: true, // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: false,
        },
      },
      ['(Root): Must not validate the schema (not)'],
    ],
    [{}, { $schema: `${DRAFT}4/schema#`, propertyNames: false }, []],
    // The part around the reference has a name, against which the path is resolved.
    [
      { a: 1 },
      {
        definitions: { amount: { type: 'integer' } },
        properties: {
          a: {
            $id: 'http://x.test/text.json',
            definitions: { amount: { type: 'string' } },
            allOf: [{ $ref: '#/definitions/amount' }],
          },
        },
      },
      [
        'a: Invalid type. Expected: string, given: integer',
        'a: Must validate all the schemas (allOf)',
      ],
    ],
    [
      { a: 1 },
      {
        $id: 'http://x.test/root.json',
        definitions: { text: { $id: 'text.json', type: 'string' } },
        properties: { a: { $ref: 'text.json' } },
      },
      ['a: Invalid type. Expected: string, given: integer'],
    ],
    // Of several branches, the problems of the one that matches most.
    [
      { a: { kind: 'b', n: 'x' } },
      {
        properties: {
          a: {
            anyOf: [
              { type: 'string' },
              {
                required: ['kind', 'n'],
                properties: { kind: { enum: ['b'] }, n: { type: 'integer' } },
              },
              { required: ['kind', 'm', 'o'] },
            ],
          },
        },
      },
      [
        'a: Must validate at least one schema (anyOf)',
        'a.n: Invalid type. Expected: integer, given: string',
      ],
    ],
    [
      { a: 1 },
      { properties: { a: { minimum: 3, exclusiveMinimum: 2 } } },
      ['a: Must be greater than or equal to 3', 'a: Must be greater than 2'],
    ],
  ])('%j %j, as OPA 1.2', (document, schema, wanted) => {
    const [valid, found] = toJson(call('json.match_schema', document, schema)!) as [
      boolean,
      { error: string }[],
    ]
    expect([valid, found.map(({ error }) => error)]).toEqual([wanted.length === 0, wanted])
  })

  it('resolves references inside the schema, and terminates', () => {
    const tree = {
      $ref: '#/definitions/t',
      definitions: { t: { type: 'object', additionalProperties: { $ref: '#/definitions/t' } } },
    }
    expect(call('json.match_schema', { a: { b: {} } }, tree)).toEqual([true, []])
    expect(toJson(call('json.match_schema', { a: { b: 1 } }, tree) ?? null)).toMatchObject([
      false,
      [{ field: 'a.b' }],
    ])
    expect(() => call('json.match_schema', {}, { $ref: '#' })).toThrow('refers to itself too often')
    expect(() => call('json.match_schema', {}, { $ref: 'http://x/' })).toThrow(
      'remote references are not allowed',
    )
  })

  it('accepts text, and reports invalid schemas', () => {
    expect(call('json.match_schema', '{"a": 1}', '{"required": ["a"]}')).toEqual([true, []])
    expect(call('json.verify_schema', '{')).toEqual([false, 'jsonschema: invalid JSON string'])
    expect(call('json.match_schema', {}, { oneOf: set() })).toEqual([true, []])
    expect(call('json.verify_schema', { type: 'nope' })).toEqual([
      false,
      'jsonschema: has a primitive type that is NOT VALID -- given: /nope/ Expected valid values are:[array boolean integer number null object string]',
    ])
    expect(call('json.verify_schema', { properties: { a: { pattern: '(' } } })).toMatchObject([
      false,
      expect.any(String),
    ])
    expect(() => call('json.match_schema', 1, {})).toThrow('wrong type, expected string or object')
  })
})
