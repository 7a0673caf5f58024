import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { secretsProblem } from './secretsSchema.ts'

const schema = {
  type: 'object',
  properties: { API_KEY: { type: 'string', minLength: 3 } },
  required: ['API_KEY'],
  additionalProperties: false,
}
const problem = (document: unknown, secrets: unknown) =>
  secretsProblem(JSON.stringify(document), JSON.stringify(secrets))

describe('secrets schema (section 2.7)', () => {
  it('accepts valid secrets', () => {
    expect(problem(schema, { API_KEY: 'abc' })).toBeUndefined()
  })

  it.each([
    [{}, "secrets must have required property 'API_KEY'"],
    [{ API_KEY: 'ab' }, 'API_KEY must NOT have fewer than 3 characters'],
    [{ API_KEY: 'abc', OTHER: 'x' }, 'secrets must NOT have additional properties'],
    [
      { OTHER: 'x' },
      "secrets must have required property 'API_KEY'; secrets must NOT have additional properties",
    ],
  ])('reports errors in %j', (secrets, details) => {
    expect(problem(schema, secrets)).toBe(details)
  })

  it('never includes a value', () => {
    const strict = {
      properties: {
        A: { const: 'other' },
        B: { pattern: '^x$' },
        C: { enum: ['y'] },
        D: { format: 'email' },
        E: { maxLength: 2 },
      },
    }
    const secrets = { A: 'SECRET', B: 'SECRET', C: 'SECRET', D: 'SECRET', E: 'SECRET' }
    expect(problem(strict, secrets)).toBe(
      [
        'A must be equal to constant',
        'B must match pattern "^x$"',
        'C must be equal to one of the allowed values',
        'D must match format "email"',
        'E must NOT have more than 2 characters',
      ].join('; '),
    )
  })

  it.each([
    ['additionalProperties', { additionalProperties: { maxLength: 1 } }],
    ['patternProperties', { patternProperties: { '.': { maxLength: 1 } } }],
    ['propertyNames', { propertyNames: { maxLength: 1 } }],
    ['no other members', { additionalProperties: false }],
    [
      'unevaluated ones',
      { $schema: 'https://json-schema.org/draft/2019-09/schema', unevaluatedProperties: false },
    ],
  ])('never includes the name of an undeclared member: %s', (_, loose) => {
    const text = problem(loose, { 'sk/SECRET~1': 'value' })
    expect(text).toBeDefined()
    expect(text).not.toContain('SECRET')
  })

  it('includes the name of a declared member, whatever it is', () => {
    const odd = { properties: { 'a/b~c': { maxLength: 1 } } }
    expect(problem(odd, { 'a/b~c': 'xx' })).toBe('a/b~c must NOT have more than 1 characters')
  })

  it('has short errors for any schema', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`K${at}`, { pattern: `^${'x'.repeat(2_000)}$` }]),
    )
    const secrets = Object.fromEntries(Object.keys(properties).map((name) => [name, 'y']))
    const text = problem({ properties }, secrets)!
    expect(text.length).toBeLessThan(2_200)
    expect(text.match(/; /g)).toHaveLength(9)
  })

  it.each([
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema',
  ])('supports the dialect %s', ($schema) => {
    expect(problem({ ...schema, $schema }, { API_KEY: 'abc' })).toBeUndefined()
    expect(problem({ ...schema, $schema }, {})).toContain('required property')
  })

  it.each([
    ['a type that does not exist', { type: 'strong' }],
    ['a reference to nothing', { $ref: '#/definitions/none' }],
    ['a reference elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['a reference to a file', { $ref: 'file:///etc/passwd' }],
    ['an invalid pattern', { properties: { API_KEY: { pattern: '(' } } }],
  ])('with %s is unusable', (_, broken) => {
    expect(problem(broken, { API_KEY: 'abc' })).toMatch(/^the secrets schema cannot be used: /)
  })

  it('nested deeper than the stack allows is unusable', () => {
    const deep = `${'{"not":'.repeat(6_000)}{}${'}'.repeat(6_000)}`
    expect(secretsProblem(deep, '{}')).toMatch(/^the secrets schema cannot be used: /)
  })

  it.each([
    ['[', 'the secrets schema is not JSON'],
    ['[]', 'the secrets schema is not a JSON object'],
    ['null', 'the secrets schema is not a JSON object'],
    [' '.repeat(65_537), 'the secrets schema is larger than 65536 bytes'],
  ])('is a JSON object of bounded size: %.10s', (text, details) => {
    expect(secretsProblem(text, '{}')).toBe(details)
  })

  it('treats a member called __proto__ like any other', () => {
    expect(secretsProblem('{"additionalProperties":false}', '{"__proto__":"x"}')).toBe(
      'secrets must NOT have additional properties',
    )
  })
})

it('gives the same result for an upload, regardless of earlier uploads', () => {
  const schemas = ['KEY', 'OTHER'].map((name) =>
    JSON.stringify({
      type: 'object',
      properties: { [name]: { type: 'string', minLength: 3 } },
      required: [name],
      additionalProperties: false,
    }),
  )
  const member = fc.constantFrom('KEY', 'OTHER', 'own-name-1', 'own-name-2')
  const secrets = fc.dictionary(member, fc.string({ maxLength: 6 }), { maxKeys: 3 })
  const upload = fc.record({ schema: fc.constantFrom(...schemas), secrets })
  /** Other text, and therefore compiled for itself. */
  let number = 0
  const separate = (schema: string) => `${schema}${' '.repeat(++number % 50_000)}`
  fc.assert(
    fc.property(fc.array(upload, { minLength: 2, maxLength: 20 }), (uploads) => {
      for (const each of uploads) {
        const text = JSON.stringify(each.secrets)
        const problem = secretsProblem(each.schema, text)
        expect(problem).toBe(secretsProblem(separate(each.schema), text))
        expect(problem ?? '').not.toContain('own-name')
      }
    }),
    { numRuns: 30 },
  )
})
