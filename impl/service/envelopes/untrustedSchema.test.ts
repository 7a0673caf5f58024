import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileUntrustedSchema, parseUntrustedSchema, unknownFormats } from './untrustedSchema.ts'

const options = { formats: true, allErrors: false }
const compile = (text: string) => compileUntrustedSchema(parseUntrustedSchema(text), options)
const fits = (schema: object, value: unknown) => compile(JSON.stringify(schema))(value) === null

describe('an untrusted schema', () => {
  it.each([
    ['$async', '{"$async":true}'],
    ['$async that is off', '{"$async":false}'],
    [
      '$async of a dialect',
      '{"$schema":"https://json-schema.org/draft/2020-12/schema","$async":true}',
    ],
    ['$async of a member', '{"properties":{"a":{"$async":true}}}'],
    ['$async of a definition', '{"$ref":"#/definitions/a","definitions":{"a":{"$async":true}}}'],
    ['$async under an unknown keyword', '{"x":{"$async":true},"$ref":"#/x"}'],
    ['$async in a list', '{"allOf":[{"not":{"$async":1}}]}'],
    ['a rule for __proto__', '{"properties":{"__proto__":{"type":"string"}}}'],
    ['__proto__ itself', '{"__proto__":{"$async":true}}'],
    ['a reference to the prototype', '{"$ref":"constructor"}'],
    ['a reference to __proto__', '{"properties":{"a":{"$ref":"#/definitions/__proto__"}}}'],
    ['an id of the prototype', '{"properties":{"a":{"$id":"toString"}}}'],
    ['an anchor of the prototype', '{"$defs":{"a":{"$anchor":"__proto__"}}}'],
    ['a reference to its own data', '{"properties":{"a":{"maximum":{"$data":"1/b"}}}}'],
    ['a document elsewhere', '{"$ref":"https://example.com/schema.json"}'],
    ['the id of the meta-schema', '{"$id":"http://json-schema.org/draft-07/schema"}'],
  ])('is rejected with %s', (_, text) => {
    expect(() => compile(text)).toThrow()
  })

  it.each([
    ['members of the name $async', { properties: { $async: { const: 1 } } }, { $async: 1 }],
    ['data of that name', { const: { $async: true } }, { $async: true }],
    ['recursion', { properties: { a: { $ref: '#' } } }, { a: { a: {} } }],
    ['its own id', { $id: 'https://example.com/x' }, {}],
    ['unknown keywords', { 'x-owner': { a: 1 }, type: 'object', nullable: true }, {}],
  ])('may have %s', (_, schema, value) => {
    expect(fits(schema, value)).toBe(true)
    // Each schema has a separate validator, so that a repeated id is no conflict.
    expect(fits(schema, value)).toBe(true)
  })

  it('with infinite references fails, and terminates', () => {
    expect(() => compile('{"$ref":"#"}')({})).toThrow()
    expect(() => compile('{"allOf":[{"$ref":"#"}]}')({})).toThrow()
  })

  it('looks at own members only (property)', () => {
    const inherited = Object.getOwnPropertyNames(Object.prototype).filter(
      (name) => name !== '__proto__',
    )
    fc.assert(
      fc.property(fc.constantFrom(...inherited), (name) => {
        expect(fits({ required: [name] }, {})).toBe(false)
        expect(fits({ properties: { [name]: { type: 'string' } } }, {})).toBe(true)
        expect(fits({ properties: { [name]: { type: 'string' } } }, { [name]: 1 })).toBe(false)
      }),
      { numRuns: 20 },
    )
  })

  it('validates synchronously, whatever it contains (property)', () => {
    const keyword = fc.constantFrom(
      ...['$async', '$ref', '$id', 'properties', 'allOf', 'not', 'if', 'then', 'items', 'type'],
      ...['$recursiveRef', '$dynamicRef', 'definitions', 'const', '__proto__', 'constructor'],
    )
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        fc.constantFrom<unknown>(true, '#', 'object', 1, null, 'constructor'),
        fc.dictionary(keyword, tie('node'), { maxKeys: 4, noNullPrototype: true }),
        fc.array(tie('node'), { maxLength: 3 }),
      ),
    }))
    fc.assert(
      fc.property(
        fc.dictionary(keyword, node, { noNullPrototype: true }),
        fc.json(),
        (schema, value) => {
          let errors: unknown
          try {
            errors = compile(JSON.stringify(schema))(JSON.parse(value))
          } catch (error) {
            expect(error).toBeInstanceOf(Error)
            return
          }
          expect(errors === null || Array.isArray(errors)).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })
})

it('names formats that nothing checks, where they are keywords', () => {
  const schema = {
    properties: {
      format: { format: 'iban' },
      a: { format: 'uri' },
      b: { items: { format: 'bic' } },
    },
    enum: [{ format: 'data' }],
    allOf: [{ format: 'toString' }, { format: 'iban' }],
  }
  expect(unknownFormats(JSON.stringify(schema))).toEqual(['bic', 'iban', 'toString'])
})
