import { uploadRefused } from 'polgate-service/envelopes/secretsSchema.ts'
import type { MarkFired, Mutant } from './mutant.ts'
import { secretsCheck, uploadStage } from './parts.ts'
import type { Json } from './wrappedListeners.ts'

/** Secrets are validated against another schema than that of their PolicyData. */
const heldAgainst = (change: (schema: Json) => Json) => (markFired: MarkFired) =>
  secretsCheck((upload, pass) => {
    const schema = JSON.stringify(change(JSON.parse(upload.schema)))
    if (schema !== JSON.stringify(JSON.parse(upload.schema))) markFired()
    return pass({ ...upload, schema })
  })

const eachProperty = (change: (property: Json) => Json) => (schema: Json) => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, change(property)]),
  ),
})

/** Faults in the validation of secrets (section 2.7). */
export const secretsSchemaMutants: readonly Mutant[] = [
  {
    id: 'secrets.schema-not-checked',
    fault: 'stores secrets without validating them',
    clauses: ['2.7-03', '2.7-05', '2.7-06', '2.7-07', '7.3-16'],
    parts: (markFired) =>
      secretsCheck(async (upload, pass) => {
        await pass(upload).catch(markFired)
      }),
  },
  {
    id: 'secrets.async-schema-unchecked',
    fault: 'accepts any secrets under a schema for which its validator returns a promise',
    clauses: ['2.7-03', '2.7-06'],
    parts: (markFired) =>
      secretsCheck(async (upload, pass) => {
        if (!upload.schema.includes('$async')) return pass(upload)
        markFired()
      }),
  },
  {
    id: 'secrets.hostile-schema-fails-others',
    fault: 'fails the next uploads of all clients once a hostile schema has been used',
    clauses: ['2.7-03'],
    parts: (markFired) => {
      let broken = 0
      return secretsCheck(async (upload, pass) => {
        if (upload.schema.includes('$async')) broken = 2
        else if (broken > 0) {
          broken -= 1
          markFired()
          throw uploadRefused('the secrets schema takes too much memory')
        }
        return pass(upload)
      })
    },
  },
  {
    id: 'secrets.min-length-ignored',
    fault: 'ignores the minimum length of a secret',
    clauses: ['2.7-05'],
    parts: heldAgainst(eachProperty(({ minLength: _, ...property }) => property)),
  },
  {
    id: 'secrets.min-length-one-less',
    fault: 'accepts secrets one character too short',
    clauses: ['2.7-05'],
    parts: heldAgainst(
      eachProperty((property) =>
        property.minLength > 1 ? { ...property, minLength: property.minLength - 1 } : property,
      ),
    ),
  },
  {
    id: 'secrets.required-ignored',
    fault: 'accepts secrets without a required name',
    clauses: ['2.7-06'],
    parts: heldAgainst(({ required: _, ...schema }) => schema),
  },
  {
    id: 'secrets.additional-taken',
    fault: 'accepts names that are not in the schema',
    clauses: ['2.7-07'],
    parts: heldAgainst((schema) => ({ ...schema, additionalProperties: true })),
  },
  {
    id: 'secrets.all-required',
    fault: 'requires every name in the schema',
    clauses: ['2.7-12'],
    parts: heldAgainst((schema) => ({ ...schema, required: Object.keys(schema.properties ?? {}) })),
  },
  {
    id: 'secrets.enum-ignored',
    fault: 'ignores an enumeration',
    clauses: ['2.7-13'],
    parts: heldAgainst(eachProperty(({ enum: _, ...property }) => property)),
  },
  {
    id: 'secrets.pattern-ignored',
    fault: 'ignores a pattern',
    clauses: ['2.7-13'],
    parts: heldAgainst(eachProperty(({ pattern: _, ...property }) => property)),
  },
  {
    id: 'secrets.max-length-ignored',
    fault: 'ignores a maximum length',
    clauses: ['2.7-13'],
    parts: heldAgainst(eachProperty(({ maxLength: _, ...property }) => property)),
  },
  {
    id: 'secrets.one-schema-a-client',
    fault: 'validates all secrets of a client against the schema of its first upload',
    clauses: ['2.7-14', '2.7-01'],
    parts: (markFired) => {
      const first = new Map<string, string>()
      return uploadStage((request, pass) => {
        const schemaCid = first.get(request.policyClient) ?? request.schemaCid
        first.set(request.policyClient, schemaCid)
        if (request.schemaCid !== schemaCid) markFired()
        return pass({ ...request, schemaCid })
      })
    },
  },
  {
    id: 'secrets.schema-of-all-wanted',
    fault: 'does not run oracles without a schema, as if their secrets were missing',
    clauses: ['2.7-02'],
    parts: (markFired) => ({
      chain: (chain) => ({
        ...chain,
        policyData: async (address) => {
          const read = await chain.policyData(address)
          if (read.secretsSchemaCid !== '') return read
          markFired()
          return {
            ...read,
            secretsSchemaCid: 'bafkreih777777777777777777777777777777777777777777777777774',
          }
        },
      }),
    }),
  },
  {
    id: 'secrets.any-json-taken',
    fault: 'accepts a plaintext that is not a JSON object of strings',
    clauses: ['2.7-04', '4.5-11'],
    parts: (markFired) =>
      uploadStage((request, pass) =>
        pass(request).catch((error: Error) => {
          if (!/secrets are not/.test(error.message)) throw error
          markFired()
          return { schema: '{}' }
        }),
      ),
  },
]
