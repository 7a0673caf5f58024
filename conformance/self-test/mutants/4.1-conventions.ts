import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { MarkFired, Mutant } from './mutant.ts'
import {
  answered,
  asking,
  changedAnswer,
  changedStatus,
  type Json,
  wrapListener,
} from './wrappedListeners.ts'

/** Replaces a response, or undefined to keep it. */
const instead =
  (change: (response: Response, request: Request) => Response | undefined) =>
  (markFired: MarkFired): ServiceParts =>
    wrapListener('wrapGatewayFetch', async ({ request }, pass) => {
      const response = await pass(request)
      const other = change(response, request)
      if (other !== undefined) markFired()
      return other ?? response
    })()

/** Parses an id as some servers do. */
const asNumber = (id: Json): Json => (typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id)

/** Faults in the envelope of calls (section 4.1). */
export const conventionMutants: readonly Mutant[] = [
  {
    id: 'rpc.post-not-allowed',
    fault: 'answers POST with 405',
    clauses: ['4.1-01'],
    parts: instead((response, { method }) =>
      method === 'POST' && response.status === 200
        ? new Response('Method Not Allowed', { status: 405 })
        : undefined,
    ),
  },
  {
    id: 'rpc.content-type-text',
    fault: 'answers with the content type text/plain',
    clauses: ['4.1-02'],
    parts: instead((response) => {
      const headers = new Headers(response.headers)
      headers.set('content-type', 'text/plain')
      return new Response(response.body, { status: response.status, headers })
    }),
  },
  {
    id: 'rpc.200-off-path',
    fault: 'answers every path with 200',
    clauses: ['4.1-03', '7.4-04'],
    parts: instead((response) =>
      response.status === 404 ? answered(response, '{}', 200) : undefined,
    ),
  },
  {
    id: 'rpc.any-path-is-rpc',
    fault: 'accepts calls at any path that ends in /rpc',
    clauses: ['4.1-03', '4.1-04'],
    parts: (markFired) =>
      wrapListener('wrapGatewayFetch', ({ request }, pass) => {
        const url = new URL(request.url)
        if (!/.\/rpc$/.test(url.pathname)) return pass(request)
        markFired()
        url.pathname = '/rpc'
        return pass(new Request(url, request))
      })(),
  },
  {
    id: 'rpc.404-as-json-rpc',
    fault: 'answers another path with 404 and a JSON-RPC error',
    clauses: ['4.1-04'],
    parts: instead((response) =>
      response.status === 404
        ? answered(
            response,
            JSON.stringify({
              jsonrpc: '2.0',
              error: { code: -32601, message: 'Method not found' },
              id: null,
            }),
          )
        : undefined,
    ),
  },
  {
    id: 'rpc.405-off-path',
    fault: 'answers another path with 405',
    clauses: ['7.4-04'],
    parts: changedStatus(404, 405),
  },
  {
    id: 'rpc.version-not-looked-at',
    fault: 'accepts requests of any version of JSON-RPC, or without one',
    clauses: ['4.1-05', '7.1-02'],
    parts: (markFired) =>
      wrapListener('wrapGatewayFetch', ({ request, call }, pass) => {
        if (typeof call?.method !== 'string' || call.jsonrpc === '2.0') return pass(request)
        markFired()
        return pass(asking(request, JSON.stringify({ ...call, jsonrpc: '2.0' })))
      })(),
  },
  {
    id: 'rpc.params-of-any-type',
    fault: 'treats params that are neither object nor array as absent',
    clauses: ['4.1-05', '7.1-02'],
    parts: (markFired) =>
      wrapListener('wrapGatewayFetch', ({ request, call }, pass) => {
        const { params } = call ?? {}
        if (params === undefined || typeof params === 'object') return pass(request)
        markFired()
        return pass(asking(request, JSON.stringify({ ...call, params: {} })))
      })(),
  },
  {
    id: 'rpc.success-with-error',
    fault: 'answers a success with an error that is null',
    clauses: ['4.1-06'],
    parts: changedAnswer('*', (answer) =>
      answer?.result === undefined ? answer : { ...answer, error: null },
    ),
  },
  {
    id: 'rpc.failure-with-result',
    fault: 'answers a failure with a result that is null',
    clauses: ['4.1-07'],
    parts: changedAnswer('*', (answer) =>
      answer?.error === undefined ? answer : { ...answer, result: null },
    ),
  },
  {
    id: 'rpc.error-in-result',
    fault: 'answers a failure with the error inside the result',
    clauses: ['4.1-07'],
    parts: changedAnswer('*', (answer) =>
      answer?.error?.code === undefined
        ? answer
        : { jsonrpc: '2.0', result: { error: answer.error }, id: answer.id },
    ),
  },
  {
    id: 'rpc.error-as-text',
    fault: 'answers a failure with an error that is a string',
    clauses: ['4.1-07'],
    parts: changedAnswer('*', (answer) =>
      answer?.error?.message === undefined ? answer : { ...answer, error: answer.error.message },
    ),
  },
  {
    id: 'rpc.id-not-echoed',
    fault: 'answers with a generated id',
    clauses: ['4.1-08'],
    parts: changedAnswer('*', (answer) => ({ ...answer, id: 'another' })),
  },
  {
    id: 'rpc.id-to-number',
    fault: 'converts an id of digits to a number',
    clauses: ['4.1-08', '2.1-12'],
    parts: changedAnswer('*', (answer) => ({ ...answer, id: asNumber(answer?.id) })),
  },
  {
    id: 'rpc.error-without-id',
    fault: 'answers a failure with the id null',
    clauses: ['4.1-08'],
    parts: changedAnswer('*', (answer) =>
      answer?.error === undefined ? answer : { ...answer, id: null },
    ),
  },
  {
    id: 'rpc.operational-failure-as-error',
    fault: 'answers an operational failure with an error object',
    clauses: ['4.1-09'],
    parts: changedAnswer('*', (answer) =>
      answer?.result?.success === false
        ? {
            jsonrpc: '2.0',
            error: { code: -32603, message: `Internal error: ${answer.result.error}` },
            id: answer.id,
          }
        : answer,
    ),
  },
  {
    id: 'rpc.id-of-last-call',
    fault: 'stores the id of a call where the next one overwrites it',
    clauses: ['4.1-16'],
    parts: (markFired) => {
      let last: Json
      return wrapListener('wrapGatewayFetch', async ({ request, call }, pass) => {
        last = call?.id
        const response = await pass(request)
        if (call === undefined || call.id === last) return response
        markFired()
        return answered(
          response,
          JSON.stringify({ ...((await response.json()) as object), id: last }),
        )
      })()
    },
  },
  {
    id: 'rpc.key-in-error',
    fault: 'repeats the headers of a request in the data of an error',
    clauses: ['4.1-17'],
    parts: changedAnswer('*', (answer, { request }) =>
      answer?.error?.code === undefined
        ? answer
        : { ...answer, error: { ...answer.error, data: Object.fromEntries(request.headers) } },
    ),
  },
  {
    id: 'rpc.key-encoded-in-error',
    fault: 'repeats the headers of a request in the data of an error, as JSON in base64 in hex',
    clauses: ['4.1-17'],
    parts: changedAnswer('*', (answer, { request }) => {
      if (answer?.error?.code === undefined) return answer
      const headers = JSON.stringify(Object.fromEntries(request.headers))
      const data = Buffer.from(Buffer.from(headers).toString('base64')).toString('hex')
      return { ...answer, error: { ...answer.error, data } }
    }),
  },
]
