import { type Static, Type } from '@sinclair/typebox'
import { MockHosts } from './mocksSchema.ts'
import { PrivateDataChanges } from './privateDataSchema.ts'

const closed = { additionalProperties: false } as const
const object = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

/** How a mock fails in the fail-open test. */
export const FailureMode = Type.Union([
  Type.Literal('down'),
  Type.Literal('slow'),
  Type.Literal('garbage'),
])
export type FailureMode = Static<typeof FailureMode>

const Expectation = Type.Union(
  [
    Type.Literal('allow'),
    Type.Literal('deny'),
    Type.Literal('denyOrFail'),
    Type.Object({ deny: Type.Array(Type.String({ maxLength: 4_096 }), { maxItems: 64 }) }, closed),
    Type.Object({ fails: Type.String({ minLength: 1, maxLength: 4_096 }) }, closed),
  ],
  {
    description:
      'allow; deny for any reasons; denyOrFail: it is not allowed; deny: exactly these reasons; fails: there is no decision, and the error contains this text',
  },
)

/** One row of the decision table. */
export const DecisionCase = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    intent: Type.Optional(object('Members that differ from the intent of the package')),
    intentSignature: Type.Optional(
      Type.String({ description: '65 bytes', pattern: '^0x[0-9a-fA-F]{130}$' }),
    ),
    params: Type.Optional(
      object('Members that differ from the parameters of the package; null removes one'),
    ),
    wasmArgs: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Arguments by oracle id' }),
    ),
    secrets: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([
          Type.Null(),
          Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 4_096 }), Type.Null()])),
        ]),
        {
          description:
            'By oracle id, secrets that differ from its testSecrets; null removes one, or all of them: none are stored',
        },
      ),
    ),
    privateData: Type.Optional(PrivateDataChanges),
    mocks: Type.Optional(MockHosts),
    time: Type.Optional(
      Type.String({
        description: 'What clocks say, ISO 8601',
        pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$',
      }),
    ),
    expect: Expectation,
    allowsDespite: Type.Optional(
      Type.Record(Type.String(), Type.Array(FailureMode, { maxItems: 3 }), {
        description:
          'Failures of hosts despite which this case is allowed, by host; of private data by service.identity, service.confidential.<type> or data.privacy, down and garbage',
      }),
    ),
  },
  closed,
)
export type DecisionCase = Static<typeof DecisionCase>

/** The content of `cases.yaml`. */
export const CasesFile = Type.Object(
  {
    time: Type.Optional(DecisionCase.properties.time),
    cases: Type.Array(DecisionCase, { minItems: 1, maxItems: 1_000 }),
  },
  {
    ...closed,
    title: 'Decision table of a policy package',
    description: 'cases.yaml of a policy package',
  },
)
export type CasesFile = Static<typeof CasesFile>
