import { type MethodName, methods } from 'polgate-protocol/methods.ts'
import {
  answered,
  asking,
  changedAnswer,
  type Json,
  type ReceivedRequest,
  wrapListener,
} from '../mutants/wrappedListeners.ts'
import type { Variant } from './variant.ts'

/** Other choices for the envelope of calls (section 4.1) and the ids in it (section 2.1). */

const unmarked = () => undefined

type Fault = Parameters<typeof wrapListener>[1]

const gateway = (answer: Fault): NonNullable<Variant['parts']> =>
  wrapListener('wrapGatewayFetch', async (asked, pass) =>
    isRpc(asked) ? answer(asked, pass) : pass(asked.request),
  )

const isRpc = ({ request }: ReceivedRequest) => new URL(request.url).pathname === '/rpc'

/** Replaces calls before the gateway gets them; undefined leaves one as it is. */
const asIf = (instead: (asked: ReceivedRequest) => Json | undefined) =>
  gateway((asked, pass) => {
    const call = instead(asked)
    return pass(call === undefined ? asked.request : asking(asked.request, JSON.stringify(call)))
  })

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const isCall = (call: Json) =>
  call?.jsonrpc === '2.0' &&
  typeof call.method === 'string' &&
  ['undefined', 'object'].includes(typeof call.params)

const text = (status: number, body: string, type = 'text/plain') =>
  new Response(body, { status, headers: { 'content-type': type } })

const page = (title: string) =>
  `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`

/** nginx’s default for the size of a body. */
const mebibyte = 1024 * 1024

/** Whether an object has a member that its schema does not list, at any depth. */
function hasUnknown(schema: Json, value: Json): boolean {
  if (Array.isArray(value)) return value.some((item) => hasUnknown(schema?.items, item))
  const known = schema?.properties
  if (typeof value !== 'object' || value === null || known === undefined) return false
  return Object.entries(value).some(
    ([name, member]) => !Object.hasOwn(known, name) || hasUnknown(known[name], member),
  )
}

/** Methods of section 4 that have no params: `[]` is as good as none to the gateway. */
const takesNone = (name: MethodName) => Object.keys(methods[name].params.properties).length === 0

export const conventionVariants: readonly Variant[] = [
  {
    id: 'rpc.numeric-ids-refused',
    clauses: ['2.1-14'],
    choice: 'refuses a numeric id as an invalid request',
    parts: asIf(({ call }) => (typeof call?.id === 'number' ? { ...call, id: {} } : undefined)),
  },
  {
    id: 'rpc.numeric-ids-as-text',
    clauses: ['2.1-14'],
    choice: 'returns a numeric id as a string',
    parts: () =>
      changedAnswer('*', (answer) =>
        typeof answer?.id === 'number' ? { ...answer, id: String(answer.id) } : answer,
      )(unmarked),
  },
  {
    id: 'rpc.get-shows-a-page',
    clauses: ['4.1-11'],
    choice: 'answers GET on /rpc with a page for people, and other methods with 501',
    parts: gateway(async ({ request }, pass) => {
      if (request.method === 'POST') return pass(request)
      return request.method === 'GET'
        ? text(200, page('JSON-RPC endpoint'), 'text/html')
        : text(501, 'Not Implemented\n')
    }),
  },
  {
    id: 'rpc.get-is-not-found',
    clauses: ['4.1-11'],
    choice: 'knows only POST on /rpc: everything else is 404',
    parts: gateway(async ({ request }, pass) =>
      request.method === 'POST' ? pass(request) : text(404, 'Not Found\n'),
    ),
  },
  {
    id: 'rpc.batches-refused',
    clauses: ['4.1-12'],
    choice: 'refuses batches as invalid requests',
    parts: asIf(({ body }) => (/^\s*\[/.test(body) && isJson(body) ? 0 : undefined)),
  },
  {
    id: 'rpc.no-id-no-answer',
    clauses: ['4.1-13'],
    choice: 'executes a call without an id as a notification, and answers it with 204',
    parts: gateway(async ({ request, call }, pass) => {
      const response = await pass(request)
      return response.status === 200 && isCall(call) && !Object.hasOwn(call, 'id')
        ? new Response(null, { status: 204 })
        : response
    }),
  },
  {
    id: 'rpc.no-id-refused',
    clauses: ['4.1-13'],
    choice: 'refuses a call without an id as an invalid request',
    parts: asIf(({ call }) =>
      isCall(call) && !Object.hasOwn(call, 'id') ? { ...call, id: {} } : undefined,
    ),
  },
  {
    id: 'rpc.large-bodies-taken',
    clauses: ['4.1-14'],
    choice: 'takes bodies of 16 MiB',
    parts: () => ({
      gateway: (deps) => ({ ...deps, limits: { ...deps.limits, bodyBytes: 16 * mebibyte } }),
    }),
  },
  {
    id: 'rpc.proxy-limits-bodies',
    clauses: ['4.1-14'],
    choice: 'is behind a proxy that refuses bodies over 1 MiB with a page',
    parts: gateway(async ({ request, body }, pass) =>
      Buffer.byteLength(body) > mebibyte
        ? text(413, page('413 Request Entity Too Large'), 'text/html')
        : pass(request),
    ),
  },
  {
    id: 'rpc.content-type-required',
    clauses: ['4.1-15'],
    choice: 'refuses other content types than application/json with 415',
    parts: gateway(async ({ request }, pass) => {
      const type = request.headers.get('content-type') ?? ''
      return request.method !== 'POST' || /^application\/json\s*(;|$)/i.test(type)
        ? pass(request)
        : text(415, 'Unsupported Media Type\n')
    }),
  },
  {
    id: 'rpc.unknown-members-refused',
    clauses: ['4.1-18'],
    choice: 'refuses params with members that the specification does not list',
    parts: gateway(async ({ request, call, method }, pass) => {
      if (!isCall(call) || !Object.hasOwn(methods, method)) return pass(request)
      const name = method as MethodName
      if (!hasUnknown(methods[name].params, call.params)) return pass(request)
      const response = await pass(asking(request, JSON.stringify({ ...call, params: [] })))
      if (!takesNone(name) || response.status !== 200) return response
      const error = { code: -32602, message: 'Invalid request format: unknown member' }
      return answered(response, JSON.stringify({ jsonrpc: '2.0', error, id: call.id ?? null }))
    }),
  },
  {
    id: 'rpc.params-only-as-objects',
    clauses: ['4.1-19'],
    choice: 'refuses params that are null or an array as an invalid request',
    parts: asIf(({ call }) =>
      isCall(call) && (call.params === null || Array.isArray(call.params))
        ? { ...call, params: 'neither' }
        : undefined,
    ),
  },
]
