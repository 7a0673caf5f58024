import { anyJson } from '../arbitraries/json.ts'
import { anyRequestBody } from '../arbitraries/requestBody.ts'
import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import { lastPart } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectThat, isObject } from '../core/expect.ts'
import { expectEnvelope, expectError } from '../kit/assertions/expectAnswer.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import type { CallKey } from '../kit/scenarios/ownKey.ts'
import { expectPublicKey, publicKey, rpcBody } from '../kit/scenarios/requests.ts'
import { withClearedKey } from '../kit/scenarios/webhooks.ts'

/** Sections 7.1 and 7.4-05: JSON-RPC's standard codes, whatever is sent. */
/** Invalid JSON: rejected by the parser. */
const notJson = (id: string, body: string): Check => ({
  id,
  title: `a body that is not JSON (${lastPart(id)}) is -32700`,
  clauses: ['7.1-01', '7.1-06'],
  level: 'must',
  needs: ['key:read'],
  twin: 'the same endpoint with a body that is JSON',
  run: async (t) => {
    await t.twin(async () => expectPublicKey(await publicKey(t)))
    const answer = await t.gateway.send({ body, key: 'read' })
    expectError(answer, { code: -32700, message: /parse error/i, status: [200, 400] })
  },
})

/** JSON, but not a request. */
const notRequest = (id: string, change: (request: Record<string, unknown>) => unknown): Check => ({
  id,
  title: `JSON that is not a request (${lastPart(id)}) is -32600`,
  clauses: ['7.1-02', '7.1-06', '4.1-05'],
  level: 'must',
  needs: ['key:read'],
  twin: 'the request before that change',
  run: async (t) => {
    await t.twin(async () => expectPublicKey(await publicKey(t)))
    const request = JSON.parse(rpcBody(t, 'getSecretsPublicKey', {}))
    const answer = await t.gateway.send({ body: JSON.stringify(change(request)), key: 'read' })
    expectError(answer, { code: -32600, message: /invalid request/i, status: [200, 400] })
  },
})

const unknownMethod = (id: string, method: string): Check => ({
  id,
  title: `the unknown method '${method}' is -32601 and named`,
  clauses: ['7.1-03', '7.3-01'],
  level: 'must',
  needs: ['key:read'],
  twin: 'the same request with a method that exists',
  run: async (t) => {
    await t.twin(async () => expectPublicKey(await publicKey(t)))
    const body = JSON.stringify({ jsonrpc: '2.0', method, params: {}, id: 'm' })
    const answer = await t.gateway.send({ body, key: 'read' })
    const error = expectError(answer, {
      code: -32601,
      message: /unknown .*rpc method|method not found/i,
    })
    const named = String(error.message).includes(method)
    expectThat(
      named || /method not found/i.test(String(error.message)),
      'the message',
      `one that names ${method}`,
      error.message,
    )
  },
})

/** What every response must be: valid JSON-RPC, and not a server error. */
function expectLegal(answer: Answer): void {
  expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
  if (Array.isArray(answer.json)) {
    for (const one of answer.json)
      expectThat(
        isObject(one) && one.jsonrpc === '2.0' && 'result' in one !== 'error' in one,
        'a member of the batch answer',
        'a JSON-RPC response',
        one,
      )
    return
  }
  expectEnvelope(answer)
}

/** A key that may call every method, if there is one; a webhook that it got is removed. */
const withWidestKey = (t: CheckContext, run: (key: CallKey) => Promise<void>): Promise<void> =>
  t.target.controlUrl === undefined && t.target.keys.rpc === undefined
    ? run('read')
    : withClearedKey(t, run)

export const standardErrors: readonly Check[] = [
  // 7.1-01: A body that is not JSON is -32700.
  // 7.1-06: The messages are Parse error, Invalid request, Method not found, Invalid params,
  //   Internal error.
  notJson('rpc.parse-error.empty', ''),
  notJson('rpc.parse-error.word', 'hello'),
  notJson('rpc.parse-error.cut', '{"jsonrpc":"2.0","method":'),
  notJson('rpc.parse-error.trailing', '{"jsonrpc":"2.0"} {}'),
  notJson('rpc.parse-error.single-quotes', "{'jsonrpc':'2.0'}"),
  notJson('rpc.parse-error.binary', '\u0000\u0001\u0002'),
  // 7.1-02: JSON that is not a request is -32600.
  // 7.1-06: The messages are Parse error, Invalid request, Method not found, Invalid params,
  //   Internal error.
  // 4.1-05: A request has jsonrpc 2.0, a method, params and an id.
  notRequest('rpc.invalid-request.string', () => 'a string'),
  notRequest('rpc.invalid-request.number', () => 42),
  notRequest('rpc.invalid-request.null', () => null),
  notRequest('rpc.invalid-request.empty-object', () => ({})),
  notRequest('rpc.invalid-request.version-1', (request) => ({ ...request, jsonrpc: '1.0' })),
  notRequest('rpc.invalid-request.version-number', (request) => ({ ...request, jsonrpc: 2 })),
  notRequest('rpc.invalid-request.no-version', ({ jsonrpc: _, ...rest }) => rest),
  notRequest('rpc.invalid-request.no-method', ({ method: _, ...rest }) => rest),
  notRequest('rpc.invalid-request.method-number', (request) => ({ ...request, method: 1 })),
  notRequest('rpc.invalid-request.method-null', (request) => ({ ...request, method: null })),
  notRequest('rpc.invalid-request.params-string', (request) => ({ ...request, params: 'text' })),
  notRequest('rpc.invalid-request.id-object', (request) => ({ ...request, id: {} })),
  // 7.1-03: An unknown method is -32601.
  // 7.3-01: The message for an unknown method is "Unknown ... RPC method: {method}".
  unknownMethod('rpc.method-not-found.unprefixed', 'createTask'),
  unknownMethod('rpc.method-not-found.other', 'svc_noSuchMethod'),
  unknownMethod('rpc.method-not-found.prototype', '__proto__'),
  unknownMethod('rpc.method-not-found.constructor', 'constructor'),
  unknownMethod('rpc.method-not-found.prefixed-prototype', 'svc_toString'),
  {
    // 7.4-05: No request causes an internal error: 500 is for faults of the server.
    // 4.1-07: A failure is {jsonrpc, error: {code, message}, id}.
    // 7.1-02: JSON that is not a request is -32600.
    id: 'rpc.any-json.legal-answer',
    title: 'any JSON body gets a valid response and never a 5xx',
    clauses: ['7.4-05', '4.1-07', '7.1-02'],
    level: 'must',
    needs: ['key:read'],
    twin: 'a valid call, before and after',
    run: async (t) => {
      await t.twin(async () => expectPublicKey(await publicKey(t)))
      await checkProperty(t, 'json', anyJson(), { runs: 120 }, async (value) => {
        expectLegal(await t.gateway.send({ body: JSON.stringify(value), key: 'read' }))
      })
      expectPublicKey(await t.gateway.call('getSecretsPublicKey', {}))
    },
  },
  {
    // 7.4-05: No request causes an internal error: 500 is for faults of the server.
    // 4.1-07: A failure is {jsonrpc, error: {code, message}, id}.
    // 7.1-04: Invalid params are -32602.
    id: 'rpc.any-params.legal-answer',
    title: 'any request with any params to any method gets a valid response and never a 5xx',
    clauses: ['7.4-05', '4.1-07', '7.1-04'],
    level: 'must',
    callsAny: true,
    needs: ['key:read'],
    twin: 'a valid call, before and after',
    run: async (t) => {
      await t.twin(async () => expectPublicKey(await publicKey(t)))
      const bodies = anyRequestBody(t.target.brand.methodPrefix)
      await withWidestKey(t, async (key) => {
        await checkProperty(t, 'requests', bodies, { runs: 150 }, async (request) => {
          const answer = await t.gateway.send({ body: JSON.stringify(request), key })
          // A key without write permission is rejected before its params are validated.
          if (key === 'read' && answer.status === 403) return
          expectLegal(answer)
          const id = (answer.json as { id?: unknown }).id
          expectThat(id === request.id || id === null, 'the id of the response', request.id, id)
        })
      })
      expectPublicKey(await t.gateway.call('getSecretsPublicKey', {}))
    },
  },
]
