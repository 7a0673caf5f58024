import { type Static, Type } from '@sinclair/typebox'

const closed = { additionalProperties: false } as const

/** What a mocked host answers to one request. */
export const MockReply = Type.Object(
  {
    when: Type.Optional(
      Type.Object(
        {
          query: Type.Optional(
            Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), {
              description: 'Parameters of the query; null: it has none of this name',
            }),
          ),
          json: Type.Optional(
            Type.Unknown({
              description:
                'What the JSON body has at least; {"$contains": "price("} is a text with that in it',
            }),
          ),
        },
        { ...closed, description: 'The requests that it answers; by default all of its route' },
      ),
    ),
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599, default: 200 })),
    json: Type.Optional(
      Type.Unknown({
        description:
          'Body as JSON, with its content type; {"$now": -10} in it is the time ten seconds ago, in unix seconds, {"$now": "-10s", "$as": "milliseconds"} or "iso" the same in another form, {"$request": "/id"} a part of the JSON body of the request',
      }),
    ),
    body: Type.Optional(Type.String({ description: 'Body as text', maxLength: 1_048_576 })),
    headers: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$' }),
        Type.String({ maxLength: 8_192 }),
        { maxProperties: 64 },
      ),
    ),
    delayMs: Type.Optional(
      Type.Integer({ description: 'Before the answer', minimum: 0, maximum: 60_000, default: 0 }),
    ),
    cut: Type.Optional(
      Type.Literal(true, { description: 'The connection is cut instead of an answer' }),
    ),
    fault: Type.Optional(
      Type.Union(
        [
          Type.Literal('reset'),
          Type.Literal('hang'),
          Type.Literal('invalid'),
          Type.Literal('short'),
        ],
        {
          description:
            'The transport fails instead of an answer: a TCP reset, no answer at all, an answer that is not HTTP, a body that ends early',
        },
      ),
    ),
    fillIn: Type.Optional(
      Type.String({
        description:
          'What is to be filled in: the answer is an error, and a case that asks for it fails',
        minLength: 1,
        maxLength: 500,
      }),
    ),
  },
  closed,
)
export type MockReply = Static<typeof MockReply>

/**
 * Replies by host (`api.example.com`, or with a port, or `${secret:RPC_URL}`), and by `[METHOD ]PATH`. In a path `*` is
 * one segment; `*` alone is every other path. A path with a query answers this query only, in any order.
 */
export const MockHosts = Type.Record(
  Type.String({ pattern: '^(\\$\\{secret:[^\\s{}]{1,200}\\}|[^\\s/@]{1,255})$' }),
  Type.Record(
    Type.String({ pattern: '^(\\*|([A-Z]{1,10} )?(\\*|/[^\\s]{0,2000}))$' }),
    Type.Union([MockReply, Type.Array(MockReply, { minItems: 1, maxItems: 64 })], {
      description:
        'One reply, or several: of those whose condition holds with most parts, one after the other; the last one stays',
    }),
    { maxProperties: 256 },
  ),
  { maxProperties: 64 },
)
export type MockHosts = Static<typeof MockHosts>

/** The content of `mocks.yaml`. */
export const MocksFile = Type.Object(
  {
    hosts: Type.Optional(MockHosts),
    exchanges: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\0\\\\]+$' }), {
        description:
          'Files of policy simulate --record, or HTTP archives (.har), relative to this one: they answer what no host above does',
        maxItems: 16,
      }),
    ),
  },
  { ...closed, title: 'Mocks of a policy package', description: 'mocks.yaml of a policy package' },
)
export type MocksFile = Static<typeof MocksFile>
