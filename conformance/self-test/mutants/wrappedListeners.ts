import { isDeepStrictEqual } from 'node:util'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { MarkFired } from './mutant.ts'

/** JSON in wire format; faults change any part of it. */
// biome-ignore lint/suspicious/noExplicitAny: faults change JSON of any shape
export type Json = any

/** A parsed request, before the gateway gets it. */
export type ReceivedRequest = {
  readonly request: Request
  readonly body: string
  /** The call, if the body is a single one. */
  readonly call: Json | undefined
  /** The name without the brand's prefix; empty if there is none. */
  readonly method: string
}

type Fetch = (request: Request) => Response | Promise<Response>
type Pass = (request: Request) => Promise<Response>

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function requestsOf(request: Request): Promise<ReceivedRequest> {
  const body = await request.clone().text()
  const value = parse(body)
  const call = typeof value === 'object' && !Array.isArray(value) ? (value ?? undefined) : undefined
  const name = typeof call?.method === 'string' ? call.method : ''
  return { request, body, call, method: name.slice(name.indexOf('_') + 1) }
}

/** A response with another body, and optionally another status. */
export function answered(response: Response, body: string, status = response.status): Response {
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(status === 204 || status === 304 ? null : body, { status, headers })
}

/** The same request with another body. */
export function asking(request: Request, body: string): Request {
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  return new Request(request.url, { method: request.method, headers, body })
}

/** The listener of the gateway or explorer, with a fault in it. */
export const wrapListener =
  (
    name: 'wrapGatewayFetch' | 'wrapExplorerFetch',
    fault: (asked: ReceivedRequest, pass: Pass) => Promise<Response>,
  ) =>
  (): ServiceParts => ({
    [name]:
      (fetch: Fetch): Fetch =>
      async (request) =>
        fault(await requestsOf(request), async (passed) => fetch(passed)),
  })

/**
 * Changes the JSON of responses: of one method, or of all (`*`). `change` gets a copy and returns
 * what is sent instead; an unchanged copy leaves the response as it is.
 */
export const changedAnswer =
  (method: string, change: (answer: Json, asked: ReceivedRequest) => Json, status?: number) =>
  (markFired: MarkFired): ServiceParts =>
    wrapListener('wrapGatewayFetch', async (asked, pass) => {
      const response = await pass(asked.request)
      if (method !== '*' && asked.method !== method) return response
      return changed(response, (json) => change(json, asked), markFired, status)
    })()

/** The same for the results of successes only: errors stay unchanged. */
export const changedResult = (
  method: string,
  change: (result: Json, asked: ReceivedRequest) => Json,
) =>
  changedAnswer(method, (answer, asked) =>
    answer?.result === undefined || answer.result === null
      ? answer
      : { ...answer, result: change(answer.result, asked) },
  )

/** Changes the error object of responses that have one. */
export const changedError = (
  method: string,
  change: (error: Json, asked: ReceivedRequest) => Json,
  status?: number,
) =>
  changedAnswer(
    method,
    (answer, asked) =>
      answer?.error === undefined ? answer : { ...answer, error: change(answer.error, asked) },
    status,
  )

/** Changes the params of one method, or of all (`*`), before the gateway gets them. */
export const changedParams =
  (method: string, change: (params: Json, asked: ReceivedRequest) => Json) =>
  (markFired: MarkFired): ServiceParts =>
    wrapListener('wrapGatewayFetch', async (asked, pass) => {
      if (asked.call === undefined || (method !== '*' && asked.method !== method))
        return pass(asked.request)
      const params = change(structuredClone(asked.call.params), asked)
      if (isDeepStrictEqual(params, asked.call.params)) return pass(asked.request)
      markFired()
      return pass(asking(asked.request, JSON.stringify({ ...asked.call, params })))
    })()

/** Changes one member of the params, if its parent objects exist. */
export const changedMember = (
  method: string,
  path: string,
  change: (value: Json, params: Json) => Json,
) =>
  changedParams(method, (params) => {
    const names = path.split('.')
    const last = names.pop() ?? ''
    const holder = names.reduce<Json>((at, name) => at?.[name], params)
    if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return params
    const instead = change(holder[last], params)
    if (instead === undefined) delete holder[last]
    else holder[last] = instead
    return params
  })

/** Refuses valid params as invalid. */
export const refusing = (method: string, when: (params: Json) => boolean) =>
  changedParams(method, (params) => (when(params) ? [] : params))

/** Answers with another HTTP status; the body stays. */
export const changedStatus =
  (from: number, to: number) =>
  (markFired: MarkFired): ServiceParts =>
    wrapListener('wrapGatewayFetch', async ({ request }, pass) => {
      const response = await pass(request)
      if (response.status !== from) return response
      markFired()
      return answered(response, await response.text(), to)
    })()

/** Changes the explorer's JSON on matching paths. */
export const changedExplorer =
  (path: RegExp, change: (answer: Json, asked: ReceivedRequest) => Json, status?: number) =>
  (markFired: MarkFired): ServiceParts =>
    wrapListener('wrapExplorerFetch', async (asked, pass) => {
      const response = await pass(asked.request)
      if (!path.test(new URL(asked.request.url).pathname)) return response
      return changed(response, (json) => change(json, asked), markFired, status)
    })()

async function changed(
  response: Response,
  change: (json: Json) => Json,
  markFired: MarkFired,
  status = response.status,
): Promise<Response> {
  const text = await response.clone().text()
  const json = parse(text)
  if (json === undefined) return response
  const instead = change(structuredClone(json))
  if (isDeepStrictEqual(instead, json)) return response
  markFired()
  return answered(response, JSON.stringify(instead), status)
}
