import { Type } from '@sinclair/typebox'

/**
 * The format of an event log's lines. Unknown members are allowed, so that a log of a later suite
 * with the same version can be read.
 */

const text = Type.String({ maxLength: 1_000_000 })
const name = Type.String({ minLength: 1, maxLength: 200 })
const count = Type.Integer({ minimum: 0 })
const headers = Type.Record(Type.String(), text)
const level = Type.Union([Type.Literal('must'), Type.Literal('should'), Type.Literal('may')])
const exitCodes = Type.Union([0, 1, 2, 3, 130].map((code) => Type.Literal(code)))
const at = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z$' })

const planned = {
  id: name,
  title: text,
  section: name,
  clauses: Type.Array(name, { maxItems: 100 }),
  level,
}

const cut = Type.Optional(count)
const subject = Type.Optional(Type.Literal(true))
const phase = Type.Optional(Type.Union([Type.Literal('twin'), Type.Literal('cleanup')]))
const request = Type.Object({
  method: name,
  url: text,
  headers,
  body: text,
  key: Type.Optional(name),
})
const evidence = Type.Union([
  Type.Object({
    kind: Type.Literal('exchange'),
    at: Type.Number(),
    request,
    status: Type.Integer(),
    headers,
    body: text,
    ms: Type.Number(),
    cut,
    phase,
    subject,
  }),
  Type.Object({
    kind: Type.Literal('unanswered'),
    at: Type.Number(),
    request,
    why: text,
    accepted: Type.Boolean(),
    ms: Type.Number(),
    cut,
    phase,
    subject,
  }),
  Type.Object({
    kind: Type.Literal('frame'),
    at: Type.Number(),
    from: Type.Union([Type.Literal('gateway'), Type.Literal('suite')]),
    text,
    cut,
    phase,
    subject,
  }),
  Type.Object({
    kind: Type.Literal('webhook'),
    at: Type.Number(),
    path: text,
    headers,
    body: text,
    answered: Type.Union([Type.Integer(), Type.Null()]),
    cut,
    phase,
    subject,
  }),
  Type.Object({ kind: Type.Literal('block'), at: Type.Number(), number: count, phase }),
])

const runStarted = Type.Object({
  type: Type.Literal('run-started'),
  version: Type.Integer(),
  at,
  seed: Type.String({ pattern: '^0x[0-9a-f]{1,8}$' }),
  effort: Type.Number(),
  fullMatrix: Type.Optional(Type.Literal(true)),
  target: text,
  gatewayUrl: text,
  suite: name,
  capabilities: Type.Array(name),
  missing: Type.Record(Type.String(), text),
  blockMs: Type.Optional(Type.Number({ minimum: 0 })),
  checks: Type.Array(Type.Object(planned), { maxItems: 100_000 }),
  features: Type.Optional(Type.Array(Type.Object({ name: text }))),
  identity: Type.Optional(Type.Object({ digest: Type.Optional(text) })),
  baseline: Type.Optional(Type.Array(Type.Object({ check: name, expires: text }))),
})

const checkFinished = Type.Object({
  type: Type.Literal('check-finished'),
  ...planned,
  verdict: Type.Union(
    ['passed', 'failed', 'untestable', 'not-applicable'].map((verdict) => Type.Literal(verdict)),
  ),
  ms: Type.Number({ minimum: 0 }),
  reason: Type.Optional(text),
  outage: Type.Optional(Type.Object({ at: Type.Number(), why: text })),
  overload: Type.Optional(text),
  expected: Type.Optional(text),
  observed: Type.Optional(text),
  twin: Type.Optional(Type.Object({ name: text, accepted: Type.Boolean() })),
  counterexample: Type.Optional(text),
  curl: Type.Optional(text),
  observations: Type.Optional(Type.Array(text)),
  matrix: Type.Optional(Type.Object({ tried: count, of: count })),
  exchanges: count,
  refusals: count,
  at: Type.Number(),
  evidence: Type.Array(evidence, { maxItems: 1_000 }),
  evidenceDropped: count,
})

const runFinished = Type.Object({
  type: Type.Literal('run-finished'),
  at,
  ms: Type.Number({ minimum: 0 }),
  interrupted: Type.Boolean(),
  broken: Type.Optional(Type.Array(text)),
  load: Type.Optional(
    Type.Object({ begin: Type.Number(), end: Type.Number(), processors: Type.Integer() }),
  ),
  bail: Type.Optional(Type.Integer({ minimum: 1 })),
  code: exitCodes,
  reason: Type.Optional(text),
})

/**
 * By the `type` of a line, so that an error names the wrong member instead of every other variant.
 */
export const eventSchemas = {
  'run-started': runStarted,
  'check-finished': checkFinished,
  'run-finished': runFinished,
}
