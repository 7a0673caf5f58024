import type { HostResponse } from 'polgate-service/oracles/hostFetch.ts'
import { HostFetchError } from 'polgate-service/oracles/hostFetchError.ts'
import type { Mutant } from './mutant.ts'
import { oracleCall } from './parts.ts'

/** Faults in the http interface of oracles (section 1). */
export const oracleCallMutants: readonly Mutant[] = [
  {
    id: 'oracle.patch-sent-as-post',
    fault: 'sends an oracle’s PATCH as a POST',
    clauses: ['1-38'],
    parts: (markFired) =>
      oracleCall((request, pass) => {
        if (request.method !== 'PATCH') return pass(request)
        markFired()
        return pass({ ...request, method: 'POST' })
      }),
  },
  {
    id: 'oracle.responses-kept-by-url',
    fault: 'caches responses by URL, ignoring method and body',
    clauses: ['1-13', '1-38'],
    parts: (markFired) => {
      const kept = new Map<string, HostResponse>()
      return oracleCall(async (request, pass) => {
        const known = kept.get(request.url)
        if (known !== undefined) {
          markFired()
          return known
        }
        const response = await pass(request)
        kept.set(request.url, response)
        return response
      })
    },
  },
  {
    id: 'oracle.header-values-lowered',
    fault: 'sends the values of an oracle’s headers in lower case',
    clauses: ['1-39'],
    parts: (markFired) =>
      oracleCall((request, pass) => {
        const headers = request.headers.map(([name, value]): [string, string] => {
          if (value !== value.toLowerCase()) markFired()
          return [name, value.toLowerCase()]
        })
        return pass({ ...request, headers })
      }),
  },
  {
    id: 'oracle.request-body-cut',
    fault: 'drops the last byte of an oracle’s request body',
    clauses: ['1-40'],
    parts: (markFired) =>
      oracleCall((request, pass) => {
        if (request.body === undefined || request.body.length === 0) return pass(request)
        markFired()
        return pass({ ...request, body: request.body.subarray(0, -1) })
      }),
  },
  {
    id: 'oracle.request-body-as-text',
    fault: 'sends an oracle’s body as text',
    clauses: ['1-40'],
    parts: (markFired) =>
      oracleCall((request, pass) => {
        if (request.body === undefined) return pass(request)
        const body = Buffer.from(Buffer.from(request.body).toString('utf8'))
        if (!body.equals(request.body)) markFired()
        return pass({ ...request, body })
      }),
  },
  {
    id: 'oracle.statuses-are-errors',
    fault: 'turns a status of 500 or above into an error of the call',
    clauses: ['1-41'],
    parts: (markFired) =>
      oracleCall(async (request, pass) => {
        const response = await pass(request)
        if (response.status < 500) return response
        markFired()
        throw new HostFetchError(`the host answered ${response.status}`)
      }),
  },
  {
    id: 'oracle.response-as-text',
    fault: 'passes the oracle the body of a response as text',
    clauses: ['1-42'],
    parts: (markFired) =>
      oracleCall(async (request, pass) => {
        const response = await pass(request)
        const body = Buffer.from(Buffer.from(response.body).toString('utf8'))
        if (!body.equals(response.body)) markFired()
        return { ...response, body }
      }),
  },
  {
    id: 'oracle.failed-call-is-a-response',
    fault: 'turns a failed call into a response with status 502, as a proxy does',
    clauses: ['1-14'],
    parts: (markFired) =>
      oracleCall((request, pass) =>
        pass(request).catch((error: unknown) => {
          markFired()
          return { status: 502, headers: [], body: Buffer.from(String(error)) }
        }),
      ),
  },
]
