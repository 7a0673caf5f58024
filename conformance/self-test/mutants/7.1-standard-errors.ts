import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { MarkFired, Mutant } from './mutant.ts'
import {
  answered,
  changedAnswer,
  changedError,
  changedStatus,
  type Json,
  wrapListener,
} from './wrappedListeners.ts'

const otherCode = (from: number, to: number) =>
  changedError('*', (error) => (error.code === from ? { ...error, code: to } : error))

const standard: readonly number[] = [-32700, -32600, -32601, -32602]

/** An error object instead of a result that reports a failure. */
const failing = (answer: Json, code: number, message: string): Json => ({
  jsonrpc: '2.0',
  error: { code, message },
  id: answer.id,
})

/** A server that throws on unexpected input. */
const crashing =
  (when: (body: string, call: Json) => boolean) =>
  (markFired: MarkFired): ServiceParts =>
    wrapListener('wrapGatewayFetch', async ({ request, body, call }, pass) => {
      const response = await pass(request)
      if (response.status !== 200 || !when(body, call)) return response
      markFired()
      return answered(response, 'Internal Server Error', 500)
    })()

/** Faults in JSON-RPC's own codes (section 7.1). */
export const standardErrorMutants: readonly Mutant[] = [
  {
    id: 'rpc.parse-error-is-invalid-request',
    fault: 'answers a body that is not JSON with -32600',
    clauses: ['7.1-01'],
    parts: otherCode(-32700, -32600),
  },
  {
    id: 'rpc.invalid-request-is-parse-error',
    fault: 'answers JSON that is not a request with -32700',
    clauses: ['7.1-02'],
    parts: otherCode(-32600, -32700),
  },
  {
    id: 'rpc.unknown-method-is-internal',
    fault: 'answers an unknown method with -32603',
    clauses: ['7.1-03'],
    parts: otherCode(-32601, -32603),
  },
  {
    id: 'rpc.invalid-params-is-internal',
    fault: 'answers invalid params with -32603',
    clauses: ['7.1-04'],
    parts: otherCode(-32602, -32603),
  },
  {
    id: 'rpc.standard-errors-without-names',
    fault: 'uses the message Error for each of the standard errors',
    clauses: ['7.1-06'],
    parts: changedError('*', (error) =>
      standard.includes(error.code) ? { ...error, message: 'Error' } : error,
    ),
  },
]

/** Faults in the codes of the service (section 7.2). */
export const serviceErrorMutants: readonly Mutant[] = [
  {
    id: 'rpc.contract-error-is-internal',
    fault: 'reports an error of a contract as an internal error without details',
    clauses: ['7.2-02'],
    parts: changedAnswer('*', (answer) =>
      answer?.error?.code === -32616 || /contract|policy client/i.test(answer?.result?.error)
        ? failing(answer, -32603, 'Internal error')
        : answer,
    ),
  },
  {
    id: 'task.policy-version-ignored',
    fault: 'ignores the version of a policy',
    clauses: ['7.2-04'],
    parts: (markFired) => ({
      chain: (chain) => ({
        ...chain,
        async clientAndOperators(...given) {
          const read = await chain.clientAndOperators(...given)
          if (!read.client.version.startsWith('1.')) markFired()
          return { ...read, client: { ...read.client, version: '1.0.0' } }
        },
      }),
    }),
  },
  {
    id: 'task.policy-data-version-ignored',
    fault: 'ignores the version of policy data',
    clauses: ['7.2-05'],
    parts: (markFired) => ({
      chain: (chain) => ({
        ...chain,
        async clientAndOperators(...given) {
          const read = await chain.clientAndOperators(...given)
          const policyData = read.client.policyData.map((source) => {
            if (!source.version.startsWith('1.')) markFired()
            return { ...source, version: '1.0.0' }
          })
          return { ...read, client: { ...read.client, policyData } }
        },
      }),
    }),
  },
  {
    id: 'rpc.policy-data-fetch-unexplained',
    fault: 'does not report that policy data could not be fetched',
    clauses: ['7.2-06'],
    parts: changedAnswer('simulatePolicyData', (answer) =>
      answer?.result?.success === false
        ? { ...answer, result: { ...answer.result, error: 'Operation failed' } }
        : answer,
    ),
  },
  {
    id: 'rpc.ownership-is-internal',
    fault: 'answers with -32603 if the key is not the owner’s',
    clauses: ['7.2-07'],
    parts: otherCode(-32002, -32603),
  },
  {
    id: 'rpc.ownership-is-forbidden',
    fault: 'answers Forbidden if the key is not the owner’s',
    clauses: ['7.2-07'],
    parts: changedError('*', (error) =>
      error.code === -32002 ? { ...error, message: 'Forbidden' } : error,
    ),
  },
]

/** Faults in HTTP statuses (section 7.4). */
export const httpStatusMutants: readonly Mutant[] = [
  {
    id: 'rpc.error-with-400',
    fault: 'answers an error of JSON-RPC with the HTTP status 400',
    clauses: ['7.4-01'],
    parts: (markFired) =>
      wrapListener('wrapGatewayFetch', async ({ request }, pass) => {
        const response = await pass(request)
        const text = await response.clone().text()
        if (response.status !== 200 || !text.startsWith('{"jsonrpc":"2.0","error"')) return response
        markFired()
        return answered(response, text, 400)
      })(),
  },
  {
    id: 'rpc.invalid-key-with-200',
    fault: 'answers an invalid key with the HTTP status 200',
    clauses: ['7.4-02'],
    parts: changedStatus(401, 200),
  },
  {
    id: 'rpc.permission-with-401',
    fault: 'answers a missing permission with the HTTP status 401',
    clauses: ['7.4-03'],
    parts: changedStatus(403, 401),
  },
  {
    id: 'rpc.crash-on-array',
    fault: 'fails with 500 for a body that is an array',
    clauses: ['7.4-05'],
    parts: crashing((body) => body.trimStart().startsWith('[')),
  },
  {
    id: 'rpc.crash-on-null-params',
    fault: 'fails with 500 if params are null',
    clauses: ['7.4-05'],
    parts: crashing((_, call) => call?.params === null),
  },
  {
    id: 'rpc.rate-limit-with-503',
    fault: 'answers above the rate limit with the HTTP status 503',
    clauses: ['7.4-06'],
    parts: changedStatus(429, 503),
  },
]
