import { Type } from '@sinclair/typebox'
import { payloadType } from './dsse.ts'
import { predicateType, statementType } from './statement.ts'

const text = Type.String({ maxLength: 10_000 })
const sha256 = Type.Object({ sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) })
const checks = Type.Array(text, { maxItems: 100_000 })
const count = Type.Integer({ minimum: 0 })
const date = Type.String({ format: 'date-time' })

/** The format of a DSSE envelope; unknown members are ignored. */
export const envelopeSchema = Type.Object({
  payload: Type.String(),
  payloadType: Type.Literal(payloadType),
  signatures: Type.Array(Type.Object({ keyid: Type.Optional(text), sig: text }), {
    minItems: 1,
    maxItems: 10,
  }),
})

/** The format of the statement in a certificate. */
export const statementSchema = Type.Object({
  _type: Type.Literal(statementType),
  predicateType: Type.Literal(predicateType),
  subject: Type.Array(
    Type.Object({
      name: text,
      uri: Type.Optional(text),
      digest: sha256,
      annotations: Type.Object({
        digestOf: Type.Union(['tls-spki', 'url', 'image'].map((of) => Type.Literal(of))),
      }),
    }),
    { minItems: 1, maxItems: 10 },
  ),
  predicate: Type.Object({
    result: Type.Union(['PASSED', 'WARNED', 'FAILED'].map((result) => Type.Literal(result))),
    configuration: Type.Array(Type.Object({ name: text, digest: sha256 }), {
      minItems: 2,
      maxItems: 2,
    }),
    passedTests: checks,
    warnedTests: checks,
    failedTests: checks,
    'x-suite': Type.Object({
      version: text,
      killRate: Type.Optional(text),
      falseAlarms: Type.Optional(text),
      nullFloor: Type.Optional(count),
      flakeRate: Type.Optional(text),
    }),
    'x-scope': Type.Object({
      seed: text,
      verdict: text,
      profiles: Type.Array(
        Type.Object({ profile: text, holds: Type.Boolean(), clauses: count, proven: count }),
        { maxItems: 100 },
      ),
      clauses: Type.Object({ proven: count, of: count }),
      waivers: Type.Record(Type.String(), text),
      untestable: checks,
      notPlanned: checks,
    }),
    'x-evidence': Type.Object({
      merkleRoot: Type.String({ pattern: '^0x[0-9a-f]{64}$' }),
      events: count,
      redacted: Type.Literal(true),
    }),
    'x-validity': Type.Object({ issuedAt: date, expiresAt: date, challengeable: Type.Boolean() }),
  }),
})
