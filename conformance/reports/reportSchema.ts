import { Type } from '@sinclair/typebox'
import { runVerdicts } from '../core/verdict.ts'

/** Incremented when a member of the JSON report changes its meaning or is removed. */
export const reportVersion = 3

const count = Type.Integer({ minimum: 0 })
const level = Type.Union([Type.Literal('must'), Type.Literal('should'), Type.Literal('may')])
const strict = { additionalProperties: false }

const counted = { clauses: count, proven: count, reasoned: count }

const planned = {
  id: Type.String({ description: 'Never reused, never renamed' }),
  title: Type.String(),
  section: Type.String(),
  clauses: Type.Array(Type.String()),
  level,
  own: Type.Optional(
    Type.Object(
      { file: Type.String(), sha256: Type.String(), clause: Type.Optional(Type.String()) },
      { ...strict, description: "A check of the gateway's own: it proves no clause" },
    ),
  ),
}

const check = Type.Object(
  {
    ...planned,
    verdict: Type.Union(
      ['passed', 'failed', 'untestable', 'not-applicable'].map((verdict) => Type.Literal(verdict)),
    ),
    ms: Type.Number({ minimum: 0 }),
    at: Type.Number({ description: 'Milliseconds since the start of the run' }),
    replay: Type.String({
      description: 'Id of this check with the seed of this run, for polgate replay',
    }),
    reason: Type.Optional(Type.String()),
    outage: Type.Optional(Type.Object({ at: Type.Number(), why: Type.String() }, strict)),
    overload: Type.Optional(
      Type.String({ description: 'It came too late to judge, on an overloaded machine' }),
    ),
    call: Type.Optional(Type.String({ description: 'Method, path, topic or webhook' })),
    sent: Type.Optional(Type.String()),
    expected: Type.Optional(Type.String()),
    observed: Type.Optional(Type.String()),
    difference: Type.Optional(
      Type.Array(
        Type.Object(
          {
            sign: Type.Union([Type.Literal('-'), Type.Literal('+'), Type.Literal(' ')]),
            path: Type.Optional(Type.String()),
            text: Type.String(),
          },
          strict,
        ),
        { description: 'Expected (-) and observed (+), by path where both are JSON' },
      ),
    ),
    twin: Type.Optional(Type.Object({ name: Type.String(), accepted: Type.Boolean() }, strict)),
    counterexample: Type.Optional(Type.String()),
    curl: Type.Optional(Type.String()),
    observations: Type.Optional(Type.Array(Type.String())),
    matrix: Type.Optional(Type.Object({ tried: count, of: count }, strict)),
    exchanges: count,
    refusals: count,
    evidence: Type.Array(Type.Object({ kind: Type.String(), at: Type.Number() }), {
      description: 'Evidence of a failed check; that of the others is in the event log',
    }),
    evidenceDropped: count,
  },
  // The runner may report more members than this version names.
  { additionalProperties: true },
)

const call = Type.Object(
  {
    check: Type.String(),
    method: Type.String(),
    id: Type.Optional(Type.String({ description: 'The JSON-RPC id, as JSON' })),
    at: Type.Number({ description: 'Milliseconds since the start of the run' }),
    status: Type.Optional(Type.Integer()),
  },
  strict,
)

const outage = Type.Object(
  {
    at: Type.Number({ description: 'Milliseconds since the start of the run' }),
    why: Type.String(),
    lastAnswered: Type.Optional(call),
    pending: Type.Array(call, { description: 'Requests without an answer' }),
    checks: Type.Array(Type.String(), { description: 'Checks without a result because of it' }),
  },
  strict,
)

const unproven = Type.Array(Type.Object({ clause: Type.String(), why: Type.String() }, strict))

/** JSON Schema of `report.json`, as it is published in `schema/report.schema.json`. */
export const reportSchema = Type.Object(
  {
    reportVersion: Type.Literal(reportVersion),
    complete: Type.Boolean({ description: 'False where the run was interrupted or killed' }),
    suite: Type.String(),
    seed: Type.String({ pattern: '^0x[0-9a-f]{1,8}$' }),
    target: Type.Object({ name: Type.String(), gatewayUrl: Type.String() }, strict),
    startedAt: Type.String({ format: 'date-time' }),
    finishedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    capabilities: Type.Array(Type.String()),
    missing: Type.Record(Type.String(), Type.String()),
    blockMs: Type.Optional(
      Type.Number({
        minimum: 0,
        description:
          'Milliseconds between blocks of the chain, which extend time limits; 0 where it mines on demand',
      }),
    ),
    exitCode: Type.Union([0, 1, 2, 3, 130].map((code) => Type.Literal(code))),
    verdict: Type.String({ description: 'As every report words it' }),
    claim: Type.Object(
      {
        profiles: Type.Array(Type.String()),
        notClaimed: Type.Integer({
          minimum: 0,
          description: 'Checks of other profiles, which the run did not plan',
        }),
        waived: Type.Record(Type.String(), Type.String(), {
          description: 'Capabilities that the target file waives, each with the reason',
        }),
      },
      { ...strict, description: 'What the run tested' },
    ),
    load: Type.Optional(
      Type.Object(
        { begin: Type.Number(), end: Type.Number(), processors: Type.Integer({ minimum: 1 }) },
        {
          ...strict,
          description:
            'Processes that ran or waited for a processor, on average over a minute, at the start and the end of the run',
        },
      ),
    ),
    bail: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The run was stopped after this many failures of required checks (--bail)',
      }),
    ),
    summary: Type.Object(
      {
        passed: count,
        failed: Type.Object({ must: count, should: count, may: count }),
        untestable: count,
        untestableMust: count,
        notApplicable: count,
        total: count,
        refusedShare: Type.Number({ minimum: 0, maximum: 1 }),
        verdict: Type.Union(Object.keys(runVerdicts).map((name) => Type.Literal(name))),
        words: Type.String(),
        isPart: Type.Boolean({ description: 'Checks of the claimed profiles were left out' }),
        profiles: Type.Array(
          Type.Object(
            {
              profile: Type.String(),
              holds: Type.Boolean(),
              clauses: count,
              proven: count,
              refuted: Type.Array(Type.String()),
              excepted: unproven,
              unproven,
            },
            { ...strict, description: 'Required clauses that have a check' },
          ),
          { description: 'The claimed profiles; empty where only a part of the checks ran' },
        ),
        code: Type.Integer(),
        reason: Type.Optional(Type.String()),
      },
      { additionalProperties: true },
    ),
    score: Type.Object(
      {
        planned: count,
        provable: Type.Integer({
          minimum: 0,
          description: 'What can be proven at most of this target',
        }),
        proven: count,
      },
      strict,
    ),
    coverage: Type.Object(
      {
        ...counted,
        refuted: Type.Array(Type.String()),
        sections: Type.Array(Type.Object({ section: Type.String(), ...counted }, strict)),
      },
      strict,
    ),
    matrix: Type.Optional(
      Type.Object(
        { tried: count, of: count, full: Type.Boolean() },
        { ...strict, description: 'Malformed values of parameters: tried, and of the full matrix' },
      ),
    ),
    outages: Type.Array(outage, {
      description: 'Times at which the gateway stopped answering, each one cause of many checks',
    }),
    groups: Type.Array(
      Type.Object({ cause: Type.String(), count, checks: Type.Array(Type.String()) }, strict),
      { description: 'Failed checks by cause, the most frequent first' },
    ),
    checks: Type.Array(check),
    unreported: Type.Array(Type.Object(planned, strict), {
      description: 'Planned checks without a result: they prove nothing',
    }),
  },
  {
    ...strict,
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Report of a certification run',
  },
)
