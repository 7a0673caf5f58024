import type { Check } from '../core/check.ts'
import { expectThat, show } from '../core/expect.ts'
import { expectEnvelope, expectError, expectResult } from '../kit/assertions/expectAnswer.ts'
import { expectPublicKey, failureOf, publicKey, rpcBody } from '../kit/scenarios/requests.ts'

/** Section 4.1: conventions of the RPC endpoint. */
const offPath = (id: string, path: string): Check => ({
  id,
  title: `POST ${path} is 404 and not a JSON-RPC response`,
  clauses: ['4.1-03', '4.1-04', '7.4-04'],
  level: 'must',
  needs: ['key:read'],
  twin: 'the same call at /rpc',
  run: async (t) => {
    const body = rpcBody(t, 'getSecretsPublicKey', {})
    await t.twin(async () => expectPublicKey(await publicKey(t)))
    const answer = await t.gateway.send({ path, body, key: 'read' })
    expectThat(answer.status === 404, 'the HTTP status', 404, answer.status)
    const json = answer.json as { jsonrpc?: unknown } | undefined
    expectThat(
      json?.jsonrpc === undefined,
      'the body of a 404',
      'not a JSON-RPC response',
      answer.exchange.body,
    )
  },
})

const echoesId = (id: string, sent: string): Check => ({
  id,
  title: `the id ${show(sent)} is returned unchanged`,
  clauses: ['4.1-08', '2.1-12'],
  level: 'must',
  needs: ['key:read'],
  run: async (t) => {
    expectPublicKey(await t.gateway.call('getSecretsPublicKey', {}, { id: sent }))
    const failed = expectEnvelope(await t.gateway.call('noSuchMethod', {}, { id: sent }))
    expectThat(failed.id === sent, 'the id of an error answer', sent, failed.id)
  },
})

export const conventions: readonly Check[] = [
  // 4.1-03: Any path but /rpc is HTTP 404.
  // 4.1-04: The response on another path is not a JSON-RPC response.
  // 7.4-04: 404 for a wrong path.
  offPath('rpc.http.not-found.root', '/'),
  offPath('rpc.http.not-found.below', '/rpc/extra'),
  offPath('rpc.http.not-found.versioned', '/v1/rpc'),
  offPath('rpc.http.not-found.case', '/RPC'),
  // 4.1-08: The id of the response is the id of the request.
  // 2.1-12: A JSON-RPC id that is a string is accepted.
  echoesId('rpc.id.echo.uuid', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'),
  echoesId('rpc.id.echo.empty', ''),
  echoesId('rpc.id.echo.digits', '12'),
  echoesId('rpc.id.echo.unicode', 'ключ-🔑-\u2028'),
  {
    // 4.1-01: Methods are called by POST to /rpc with a JSON body.
    // 4.1-02: The content type is application/json.
    // 4.1-05: A request has jsonrpc 2.0, a method, params and an id.
    // 4.1-06: A success is {jsonrpc, result, id}.
    // 7.4-01: 200 for a success, and for errors in the JSON-RPC body.
    // 1-06: The gateway speaks JSON-RPC 2.0 and has methods to submit tasks and to simulate tasks
    //   and policies.
    id: 'rpc.envelope.success',
    title:
      'a success is an object of jsonrpc, result and id, with HTTP 200 and a JSON content type',
    clauses: ['4.1-01', '4.1-02', '4.1-05', '4.1-06', '7.4-01', '1-06'],
    level: 'must',
    needs: ['key:read'],
    run: async (t) => {
      const answer = await t.gateway.call('getSecretsPublicKey', {})
      expectResult(answer)
      expectPublicKey(answer)
      const type = answer.exchange.headers['content-type']
      expectThat(
        /^application\/json\b/.test(type ?? ''),
        'the content type',
        'application/json',
        type,
      )
      const extra = Object.keys(answer.json as object).filter(
        (name) => !['jsonrpc', 'result', 'id'].includes(name),
      )
      expectThat(
        extra.length === 0,
        'the members of a success',
        'only jsonrpc, result, id',
        answer.json,
      )
    },
  },
  {
    // 4.1-07: A failure is {jsonrpc, error: {code, message}, id}.
    // 7.4-01: 200 for a success, and for errors in the JSON-RPC body.
    id: 'rpc.envelope.failure',
    title: 'a failure is an object of jsonrpc, error and id, with HTTP 200',
    clauses: ['4.1-07', '7.4-01'],
    level: 'must',
    needs: ['key:read'],
    twin: 'the same request with a method that exists',
    run: async (t) => {
      await t.twin(async () => expectPublicKey(await publicKey(t)))
      const answer = await t.gateway.call('noSuchMethod', {})
      expectError(answer, { code: -32601 })
      const extra = Object.keys(answer.json as object).filter(
        (name) => !['jsonrpc', 'error', 'id'].includes(name),
      )
      expectThat(
        extra.length === 0,
        'the members of a failure',
        'only jsonrpc, error, id',
        answer.json,
      )
    },
  },
  {
    // 4.1-16: Of concurrent calls each receives the response with its own id.
    // 4.1-08: The id of the response is the id of the request.
    id: 'rpc.concurrency.own-answers',
    title: '40 concurrent calls each get the response with their id',
    clauses: ['4.1-16', '4.1-08'],
    level: 'must',
    needs: ['key:read'],
    run: async (t) => {
      const calls = Array.from({ length: 40 }, (_, i) => {
        const name = i % 2 === 0 ? 'getSecretsPublicKey' : 'noSuchMethod'
        return t.gateway.call(name, {}, { id: `call-${i}` }).then((answer) => ({ i, answer }))
      })
      for (const { i, answer } of await Promise.all(calls)) {
        const envelope = expectEnvelope(answer)
        expectThat(envelope.id === `call-${i}`, 'the id of the response', `call-${i}`, envelope.id)
        const kind = i % 2 === 0 ? 'result' : 'error'
        expectThat(kind in envelope, 'the kind of answer', `a response with ${kind}`, envelope)
      }
    },
  },
  {
    // 4.1-11: What a gateway does with other HTTP methods on /rpc.
    id: 'rpc.method.get',
    title: 'observed: GET on /rpc',
    clauses: ['4.1-11'],
    level: 'may',
    needs: ['key:read'],
    run: async (t) => {
      expectPublicKey(await publicKey(t))
      const answer = await t.gateway.send({ method: 'GET', key: 'read' })
      t.observe(`GET /rpc gives HTTP ${answer.status}, allow: ${answer.exchange.headers.allow}`)
    },
  },
  {
    // 4.1-12: What a gateway does with an array of calls.
    id: 'rpc.batch.two',
    title: 'observed: an array of two calls',
    clauses: ['4.1-12'],
    level: 'may',
    needs: ['key:read'],
    run: async (t) => {
      expectPublicKey(await publicKey(t))
      const call = (id: string) => JSON.parse(rpcBody(t, 'getSecretsPublicKey', {}, id))
      const body = JSON.stringify([call('a'), call('b')])
      const answer = await t.gateway.send({ body, key: 'read' })
      if (Array.isArray(answer.json)) {
        const ids = answer.json.map((one: { id?: unknown }) => one.id).sort()
        t.observe(`a batch of two gives an array of ${answer.json.length}, ids ${show(ids)}`)
      } else t.observe(`a batch gives ${failureOf(answer) ?? `HTTP ${answer.status}`}`)
      const empty = await t.gateway.send({ body: '[]', key: 'read' })
      t.observe(`an empty batch gives ${failureOf(empty) ?? `HTTP ${empty.status}`}`)
    },
  },
  {
    // 4.1-13: What a gateway does with a request without an id.
    id: 'rpc.id.missing',
    title: 'observed: a request without an id',
    clauses: ['4.1-13'],
    level: 'may',
    needs: ['key:read'],
    run: async (t) => {
      expectPublicKey(await publicKey(t))
      const { id: _, ...request } = JSON.parse(rpcBody(t, 'getSecretsPublicKey', {}))
      const answer = await t.gateway.send({ body: JSON.stringify(request), key: 'read' })
      const id = (answer.json as { id?: unknown } | undefined)?.id
      t.observe(`without an id: HTTP ${answer.status}, id of the response ${show(id)}`)
    },
  },
  {
    // 2.1-14: What a gateway does with a numeric id, which is valid JSON-RPC.
    id: 'rpc.id.number',
    title: 'observed: a numeric id',
    clauses: ['2.1-14'],
    level: 'may',
    needs: ['key:read'],
    run: async (t) => {
      expectPublicKey(await publicKey(t))
      const answer = await t.gateway.call('getSecretsPublicKey', {}, { id: 7 })
      const json = answer.json as { id?: unknown; error?: unknown } | undefined
      t.observe(
        json?.error === undefined
          ? `a numeric id is echoed as ${show(json?.id)}`
          : `a numeric id is refused: ${show(json.error)}`,
      )
    },
  },
  {
    // 4.1-14: What a gateway does with a body over its size limit.
    id: 'rpc.body.huge',
    title: 'observed: a body of 4 MiB; the gateway keeps running',
    clauses: ['4.1-14'],
    level: 'may',
    needs: ['key:read'],
    run: async (t) => {
      expectPublicKey(await publicKey(t))
      const body = rpcBody(t, 'getSecretsPublicKey', { padding: 'x'.repeat(4 * 1024 * 1024) })
      // A server may close the connection before the whole body is sent.
      const status = await t.gateway.send({ body, key: 'read' }).then(
        (answer) => `HTTP ${answer.status}`,
        () => 'a closed connection',
      )
      t.observe(`a body of 4 MiB gives ${status}`)
      expectPublicKey(await t.gateway.call('getSecretsPublicKey', {}))
    },
  },
  {
    // 4.1-15: What a gateway does with another content type.
    id: 'rpc.content-type.text',
    title: 'observed: a request with content type text/plain',
    clauses: ['4.1-15'],
    level: 'may',
    needs: ['key:read'],
    run: async (t) => {
      expectPublicKey(await publicKey(t))
      const answer = await t.gateway.send({
        body: rpcBody(t, 'getSecretsPublicKey', {}),
        key: 'read',
        headers: { 'content-type': 'text/plain' },
      })
      t.observe(`text/plain gives HTTP ${answer.status}, ${failureOf(answer) ?? 'a result'}`)
    },
  },
  {
    // 4.1-18: What a gateway does with unknown members of params.
    id: 'rpc.params.unknown-member',
    title: 'observed: an unknown member of params',
    clauses: ['4.1-18'],
    level: 'may',
    needs: ['key:read'],
    run: async (t) => {
      expectPublicKey(await publicKey(t))
      const answer = await t.gateway.call('getSecretsPublicKey', { unknown_member: 1 })
      t.observe(`an unknown member of params gives ${failureOf(answer) ?? 'a result'}`)
    },
  },
]
