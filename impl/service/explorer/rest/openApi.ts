import type { TObject, TSchema } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import type { Brand } from 'polgate-protocol/brand.ts'
import { ExplorerPolicy, explorerDetail, Network, TaskSummary } from 'polgate-protocol/explorer.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import { schemaCollector } from './schemaCollector.ts'

export type Json = Readonly<Record<string, unknown>>

/** `{detail}` of every error but 422 (section 7.6). */
const ErrorBody = Type.Object({ detail: Type.String() }, { $id: 'Error' })

/** Decision X2. */
const ValidationError = Type.Object(
  {
    detail: Type.Array(
      Type.Object({
        type: Type.String({ description: 'The violated rule, such as int_parsing.' }),
        loc: Type.Array(Type.String(), { description: '`query`, and the name of the parameter.' }),
        msg: Type.String(),
        input: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
  },
  { $id: 'ValidationError' },
)

type Collect = (schema: unknown) => unknown

const content = (schema: unknown) => ({ 'application/json': { schema } })

const header = (description: string, schema: object = { type: 'string' }) => ({
  description,
  schema,
})

function refusal(
  description: string,
  details: readonly string[],
  collect: Collect,
  headers?: Json,
) {
  return {
    description,
    ...(headers === undefined ? {} : { headers }),
    content: {
      'application/json': {
        schema: collect(ErrorBody),
        examples: Object.fromEntries(
          details.map((detail, at) => [`example${at + 1}`, { value: { detail } }]),
        ),
      },
    },
  }
}

function refusals(route: Route, collect: Collect): Json {
  const retry = { 'Retry-After': header('Seconds to wait.', { type: 'integer', minimum: 1 }) }
  const hasQuery = Object.keys(route.query.properties).length > 0
  return {
    400: refusal(
      'The network header has an unknown network.',
      [explorerDetail.invalidNetwork],
      collect,
    ),
    401: refusal(
      'The key is missing or invalid.',
      [explorerDetail.keyRequired, explorerDetail.keyInvalid],
      collect,
      { 'WWW-Authenticate': header('`Bearer`') },
    ),
    403: refusal('The key lacks the permission to read.', [explorerDetail.permission], collect),
    ...(route.notFound === undefined
      ? {}
      : { 404: refusal('Not found on this network.', [route.notFound], collect) }),
    ...(hasQuery
      ? {
          422: {
            description: 'A query parameter is missing or invalid.',
            content: content(collect(ValidationError)),
          },
        }
      : {}),
    429: refusal('Too many requests with this key.', ['Rate limit exceeded'], collect, retry),
    503: refusal(
      'Keys or rows are temporarily unavailable.',
      [explorerDetail.keysUnavailable],
      collect,
      retry,
    ),
  }
}

/** OpenAPI has the description next to the schema, not in it. */
function parameter(place: string, name: string, required: boolean, schema: TSchema) {
  const { description, ...rest } = schema
  return { name, in: place, required, description, schema: rest }
}

function parametersOf({ named, query }: Route): Json[] {
  const members = Object.entries((query as TObject).properties as Record<string, TSchema>)
  const required: readonly string[] = query.required ?? []
  return [
    ...(named === undefined
      ? []
      : [
          parameter('path', named.name, true, {
            ...named.schema,
            description: `${named.description} ${named.schema.description}. A malformed value is not found, like any unknown one.`,
          }),
        ]),
    ...members.map(([name, schema]) =>
      parameter('query', name, required.includes(name) && schema.default === undefined, schema),
    ),
  ]
}

function operation(route: Route, collect: Collect): Json {
  const isList = 'page' in route.query.properties
  return {
    operationId: route.name,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    parameters: [{ $ref: '#/components/parameters/network' }, ...parametersOf(route)],
    responses: {
      200: {
        description: 'OK',
        ...(isList
          ? {
              headers: {
                Link: header('Pages `first`, `prev`, `next` and `last` (RFC 8288), relative.'),
              },
            }
          : {}),
        content: content(collect(route.result)),
      },
      ...refusals(route, collect),
    },
  }
}

const description = `Read-only history of tasks and policies, as recorded by the chain and the gateway.

Hex in responses is lower case. Of a repeated query parameter the last value is used; unknown parameters are ignored. A key after \`Bearer\` has priority over one in \`X-API-Key\`.`

/** The OpenAPI document of the explorer (decision E11), generated from the routes. */
export function openApiDocument(brand: Pick<Brand, 'networkHeader'>, version: string) {
  const { schemas, collect } = schemaCollector()
  // Lists refer to these by name.
  for (const schema of [TaskSummary, ExplorerPolicy]) collect(schema)
  const paths = Object.fromEntries(
    routes.map((route) => [route.path, { get: operation(route, collect) }]),
  )
  return {
    openapi: '3.1.1',
    info: { title: 'Policy evaluation service: explorer', version, description },
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A key with `rpc_read` or `rpc`.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key.' },
      },
      parameters: {
        network: {
          name: brand.networkHeader,
          in: 'header',
          required: false,
          description: 'The network to show.',
          schema: { ...(collect(Network) as object), default: 'testnet' },
        },
      },
      schemas,
    },
  }
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>
