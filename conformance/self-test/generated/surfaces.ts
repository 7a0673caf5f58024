import { AppError } from 'polgate-lib/errors/appError.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { openApiDocument } from 'polgate-service/explorer/rest/openApi.ts'
import { openRpcDocument } from 'polgate-service/gateway/openRpc.ts'
import type { Member } from './member.ts'
import { type Definitions, membersOf, type Schema } from './membersOf.ts'
import { namedByText } from './namedByText.ts'

/**
 * A kind of answer, and where it is on the wire. `root` of its members: the result of a call, the
 * whole body of a call, the body of the explorer, a message of the WebSocket, the body of a webhook.
 */
export type Surface = {
  /** `rpc.createTask`, `explorer.getTask`, `ws.update`. */
  readonly id: string
  readonly members: readonly Member[]
} & (
  | { readonly on: 'result'; readonly method: string }
  | { readonly on: 'call'; readonly has: 'result' | 'error' }
  | { readonly on: 'explorer'; readonly path: RegExp; readonly status: number }
  | { readonly on: 'socket'; readonly type: string }
  | { readonly on: 'webhook' }
)

type Place = Surface extends infer S ? (S extends Surface ? Omit<S, 'members'> : never) : never
type Described = { readonly place: Place; readonly schema: Schema; readonly known: Definitions }

/** A document of the service does not describe what the generator reads. */
class MissingDescription extends AppError {}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined)
    throw new MissingDescription(`the service does not describe ${what}: adapt ${import.meta.url}`)
  return value
}

type OpenRpc = {
  readonly methods: readonly {
    readonly name: string
    readonly result: { readonly schema: Schema }
  }[]
  readonly 'x-websocket': { readonly serverMessages: readonly Schema[] }
  readonly components: { readonly schemas: Definitions }
}

const id = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] }
const version = { const: '2.0', type: 'string' }

/** The two bodies of section 4.1, which OpenRPC presupposes. */
const callBodies = {
  success: { type: 'object', properties: { jsonrpc: version, result: {}, id } },
  failure: {
    type: 'object',
    properties: {
      jsonrpc: version,
      error: {
        type: 'object',
        properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} },
      },
      id,
    },
  },
}

function ofGateway(): readonly Described[] {
  const document = openRpcDocument(defaultBrand, 'generated') as unknown as OpenRpc
  const known = document.components.schemas
  const messages = document['x-websocket'].serverMessages.map((schema): Described => {
    const name = found(String(schema.$ref).split('/').at(-1), 'a message of the WebSocket')
    const { type } = found(known[name], name).properties as { readonly type: Schema }
    const at = { id: `ws.${type.const}`, on: 'socket', type: String(type.const) } as const
    return { place: at, schema, known }
  })
  const notification = found(known.TaskFailureNotification, 'TaskFailureNotification')
  return [
    { place: { id: 'rpc.success', on: 'call', has: 'result' }, schema: callBodies.success, known },
    { place: { id: 'rpc.failure', on: 'call', has: 'error' }, schema: callBodies.failure, known },
    ...document.methods.map(({ name, result }): Described => {
      const method = name.slice(defaultBrand.methodPrefix.length)
      return { place: { id: `rpc.${method}`, on: 'result', method }, schema: result.schema, known }
    }),
    ...messages,
    { place: { id: 'webhook.notification', on: 'webhook' }, schema: notification, known },
  ]
}

type Response = { readonly content?: { readonly 'application/json'?: { readonly schema: Schema } } }
type Operation = {
  readonly operationId: string
  readonly responses: Readonly<Record<string, Response>>
}

const pattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)

function ofExplorer(): readonly Described[] {
  const document = openApiDocument(defaultBrand, 'generated')
  const known = document.components.schemas as Definitions
  const paths = Object.entries(document.paths) as unknown as [string, { get: Operation }][]
  const schemaOf = (response: Response | undefined, what: string) =>
    found(response?.content?.['application/json']?.schema, what)
  const answers = paths.map(([path, { get }]): Described => {
    const { operationId: name, responses } = get
    return {
      place: { id: `explorer.${name}`, on: 'explorer', path: pattern(path), status: 200 },
      schema: schemaOf(responses['200'], path),
      known,
    }
  })
  // An error has the same body on every path.
  const errors = new Map<string, Response>()
  for (const [, { get }] of paths)
    for (const [status, response] of Object.entries(get.responses))
      if (status !== '200') errors.set(status, response)
  return [
    ...answers,
    ...[...errors].map(
      ([status, response]): Described => ({
        place: { id: `explorer.${status}`, on: 'explorer', path: /./, status: Number(status) },
        schema: schemaOf(response, status),
        known,
      }),
    ),
  ]
}

/**
 * Members in the order of the schema; those that only the text of the specification names follow
 * the member that has them.
 */
function withNamed(surface: string, members: readonly Member[]): readonly Member[] {
  const added = namedByText[surface] ?? {}
  return members.flatMap((member) => {
    const schema = added[member.path.join('.')]
    if (schema === undefined) return [member]
    return [
      member,
      ...membersOf(schema, {}).map((each) => ({ ...each, path: [...member.path, ...each.path] })),
    ]
  })
}

/** Every answer on every surface of the service, from its self-descriptions. */
export const surfaces: readonly Surface[] = [...ofGateway(), ...ofExplorer()].map(
  ({ place, schema, known }) => ({
    ...place,
    members: withNamed(place.id, membersOf(schema, known)),
  }),
)
