import { describe, expect, it } from 'vitest'
import { stringify, toJson } from '../values/json.ts'
import { call } from './builtinCalls.fixture.ts'

const SCHEMA = `
  "A person"
  type Person implements Named & Node { id: ID! name: String friends(first: Int = 10): [Person!]! }
  interface Named { name: String }
  interface Node { id: ID! }
  union Thing = Person | Pet
  type Pet { kind: Kind @deprecated(reason: "old") }
  enum Kind { CAT DOG }
  input Filter { kind: Kind = CAT, tags: [String!] }
  scalar Date @specifiedBy(url: "x")
  directive @own(reason: String) repeatable on FIELD | OBJECT
  extend type Pet { age: Int }
  type Query { me(at: Date, filter: Filter): Person things: [Thing] }
  schema { query: Query }
`

const QUERY = `
  query Q($n: Int! = 3, $f: Filter = {kind: DOG, tags: ["a", """b"""]}) @own {
    who: me(filter: $f) { ...Bits friends(first: $n) { id ... on Person { name } ... @include(if: true) { id } } }
  }
  fragment Bits on Person { name @own(reason: "x") }
`

describe('GraphQL', () => {
  it('parses documents to objects, and round-trips the objects', () => {
    const schema = call('graphql.parse_schema', SCHEMA)
    const query = call('graphql.parse_query', QUERY.replace(' @own', ''))
    expect(stringify(call('graphql.parse', query, schema) ?? null)).toBe(
      stringify([query ?? null, schema ?? null]),
    )
    expect(toJson(query ?? null)).toMatchObject({
      Operations: [
        {
          Name: 'Q',
          Operation: 'query',
          VariableDefinitions: [
            { Variable: 'n', DefaultValue: { Raw: '3', Kind: 1 } },
            { Variable: 'f' },
          ],
        },
      ],
      Fragments: [{ Name: 'Bits', TypeCondition: 'Person' }],
    })
    expect(toJson(schema ?? null)).toMatchObject({
      Schema: [{ OperationTypes: [{ Operation: 'query', Type: 'Query' }] }],
      Directives: [{ Name: 'own', IsRepeatable: true, Locations: ['FIELD', 'OBJECT'] }],
      Extensions: [{ Kind: 'OBJECT', Name: 'Pet' }],
    })
  })

  it('validates queries against schemas', () => {
    const query = '{ me { name } }'
    expect(call('graphql.is_valid', query, SCHEMA)).toBe(true)
    expect(call('graphql.is_valid', '{ me { nope } }', SCHEMA)).toBe(false)
    expect(call('graphql.is_valid', '{ me', SCHEMA)).toBe(false)
    expect(toJson(call('graphql.parse_and_verify', '{ nope }', SCHEMA) ?? null)).toEqual([
      false,
      {},
      {},
    ])
    expect(() => call('graphql.parse', '{ me { friends(first: "x") { id } } }', SCHEMA)).toThrow(
      'Int cannot represent non-integer value: "x" in GraphQL string at location 1:23',
    )
  })

  it('validates schemas', () => {
    expect(call('graphql.schema_is_valid', SCHEMA)).toBe(true)
    expect(call('graphql.schema_is_valid', 'extend type New { a: Int }')).toBe(true)
    expect(call('graphql.schema_is_valid', 'type A { b: Missing }')).toBe(false)
    expect(call('graphql.schema_is_valid', 'query { a }')).toBe(false)
    expect(call('graphql.schema_is_valid', '')).toBe(true)
  })

  it.each([
    ['graphql.parse_query', '{ a(b: }', 'Unexpected } in GraphQL string at location 1:8'],
    [
      'graphql.parse_query',
      '{ }',
      'expected at least one definition, found } in GraphQL string at location 1:3',
    ],
    [
      'graphql.parse_query',
      'type A { b: C }',
      'Unexpected Name "type" in GraphQL string at location 1:1',
    ],
    ['graphql.parse_schema', '{ a }', 'Unexpected { in GraphQL string at location 1:1'],
    ['graphql.parse_schema', 'enum A', undefined],
  ])('%s %j', (name, text, message) => {
    if (message === undefined) expect(call(name, text)).toBeDefined()
    else expect(() => call(name, text)).toThrow(message)
  })

  it('limits its input', () => {
    expect(() => call('graphql.parse_query', '{ '.repeat(100_000))).toThrow()
    expect(() => call('graphql.parse_query', `{${' a'.repeat(50_000)}}`)).toThrow('token')
    expect(() => call('graphql.parse_query', `${'#'.repeat(200_000)}\n!`)).toThrow('Unexpected !')
    const evil = {
      Operations: [{ Operation: 'query', Name: 'x { a } mutation', SelectionSet: [] }],
    }
    expect(() => call('graphql.parse', evil, SCHEMA)).toThrow('malformed GraphQL document')
  })

  it('needs a root type for each operation, and accepts unknown arguments of directives', () => {
    expect(() => call('graphql.parse', '{ a }', 'type T { a: Int }')).toThrow(
      'Schema does not support operation type "query"',
    )
    expect(call('graphql.is_valid', 'mutation { a }', 'type Query { a: Int }')).toBe(false)
    expect(call('graphql.is_valid', '', 'type T { a: Int @deprecated(n: "") }')).toBe(true)
  })
})
