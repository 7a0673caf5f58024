import { describe, expect, it } from 'vitest'
import { parseSecretsSchema, validateSecrets } from './secretsSchema.ts'

const schema = {
  type: 'object',
  properties: { API_KEY: { type: 'string', minLength: 3 } },
  required: ['API_KEY'],
  additionalProperties: false,
}

describe('secrets schema', () => {
  it('accepts what fits', () => {
    expect(() => validateSecrets(schema, { API_KEY: 'abc' })).not.toThrow()
  })

  it.each([
    [{}, "Secrets upload validation failed: secrets must have required property 'API_KEY'"],
    [
      { API_KEY: 'ab' },
      'Secrets upload validation failed: API_KEY must NOT have fewer than 3 characters',
    ],
    [
      { API_KEY: 'abc', OTHER: 'x' },
      "Secrets upload validation failed: secrets must NOT have additional properties 'OTHER'",
    ],
  ])('refuses %j', (secrets, message) => {
    expect(() => validateSecrets(schema, secrets as Record<string, string>)).toThrow(message)
  })

  it('never repeats a value', () => {
    const strict = {
      properties: { A: { const: 'other' }, B: { pattern: '^x$' }, C: { enum: ['y'] } },
    }
    try {
      validateSecrets(strict, { A: 'SECRET', B: 'SECRET', C: 'SECRET' })
      expect.unreachable()
    } catch (error) {
      expect((error as Error).message).toContain('A must be equal to constant')
      expect(JSON.stringify(error) + (error as Error).stack).not.toContain('SECRET')
    }
  })

  it.each([
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema',
  ])('reads the dialect %s', ($schema) => {
    expect(() => validateSecrets({ ...schema, $schema }, { API_KEY: 'abc' })).not.toThrow()
    expect(() => validateSecrets({ ...schema, $schema }, {})).toThrow('required property')
  })

  it.each([
    ['a type that does not exist', { type: 'strong' }],
    ['a reference to nothing', { $ref: '#/definitions/none' }],
    ['a reference elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['a pattern that is none', { properties: { API_KEY: { pattern: '(' } } }],
  ])('refuses secrets under a schema with %s', (_, broken) => {
    expect(() => validateSecrets(broken, { API_KEY: 'abc' })).toThrow(
      'Secrets upload validation failed: the secrets schema cannot be used',
    )
  })

  it('stops a pattern that backtracks without end', () => {
    const evil = { properties: { API_KEY: { pattern: '^(a+)+$' } } }
    expect(() => validateSecrets(evil, { API_KEY: `${'a'.repeat(60)}!` })).toThrow(
      'Secrets upload validation failed: the secrets schema takes too long',
    )
  })

  it('stops references that double at every step', () => {
    const definitions: Record<string, unknown> = { d0: { minLength: 1 } }
    for (let n = 1; n <= 60; n++)
      definitions[`d${n}`] = {
        allOf: [{ $ref: `#/definitions/d${n - 1}` }, { $ref: `#/definitions/d${n - 1}` }],
      }
    const bomb = { definitions, properties: { API_KEY: { $ref: '#/definitions/d60' } } }
    expect(() => validateSecrets(bomb, { API_KEY: 'abc' })).toThrow('takes too long')
  })

  it('reads only JSON objects of bounded size', () => {
    expect(parseSecretsSchema('{"type":"object"}')).toEqual({ type: 'object' })
    expect(() => parseSecretsSchema('[')).toThrow('the secrets schema is not JSON')
    expect(() => parseSecretsSchema('[]')).toThrow('the secrets schema is not a JSON object')
    expect(() => parseSecretsSchema(' '.repeat(65537))).toThrow('larger than 65536 bytes')
  })
})
