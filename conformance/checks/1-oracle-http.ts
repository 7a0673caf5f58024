import fc from 'fast-check'
import { arbitraryBytes, ownHeaderName, wholeHeaderValue } from '../arbitraries/httpMessage.ts'
import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import { TooLate } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectObject, expectThat, type JsonObject } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import {
  type Done,
  expectResponse,
  expectStepError,
  lateSteps,
  manySteps,
  mirrorUrl,
  probeFetch,
  probeNeeds,
  runProbe,
  step,
  stepsOrError,
} from '../kit/scenarios/probe.ts'
import { failureOf } from '../kit/scenarios/requests.ts'

/**
 * Section 1: the http interface of oracles, observed from inside by a probe and from outside by a
 * mirror.
 */
const needs = [...probeNeeds, 'fixture-host'] as const

/** What the mirror received of a request. */
function seenIn(done: Done | undefined): JsonObject {
  expectResponse(done, 'the mirror')
  expectEqual(done.status, 200, 'the status of the mirror')
  const seen = JSON.parse(done.body.toString()) as unknown
  expectObject(seen, 'what the mirror received')
  return seen
}

const valuesOf = (headers: unknown, name: string) =>
  (headers as readonly (readonly [string, string])[])
    .filter(([each]) => each.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value)

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
/** Without them an oracle can neither ask nor send. */
const needed: readonly string[] = ['GET', 'POST']
const statuses = [200, 201, 204, 206, 304, 400, 401, 403, 404, 409, 418, 422, 429, 500, 503, 599]

const bytesUp = (count: number) => Buffer.from(Array.from({ length: count }, (_, i) => i % 256))

export const oracleHttp: readonly Check[] = [
  {
    // 1-38: A fetch is made with the method that the oracle names.
    // 1-13: The http host interface fetches a URL with a method, headers and a body; the oracle
    //   receives the status and the body bytes.
    id: 'rpc.oracle.http.methods',
    title: `a fetch uses the given method: ${methods.join(', ')}, HEAD`,
    clauses: ['1-38', '1-13'],
    level: 'must',
    needs,
    run: async (t) => {
      const asked = [...methods, 'HEAD'].map((method) => step.fetch({ url: mirrorUrl(t), method }))
      const done = await manySteps(t, asked)
      // A gateway may refuse methods (clause 1-44), but not send another one.
      const refused = methods.filter((_, i) => done[i]?.kind === 'error')
      observed(t, 'refused-methods', 'methods that are refused', refused)
      for (const [i, method] of methods.entries())
        if (!refused.includes(method) || needed.includes(method))
          expectEqual(seenIn(done[i]).method, method, 'the method that arrived')
      const head = done.at(-1)
      if (head?.kind === 'error') return t.observe(`HEAD is refused: ${head.error}`)
      expectResponse(head, 'a HEAD request')
      expectEqual([head.status, head.size], [200, 0], 'status and size of the response to HEAD')
    },
  },
  {
    // 1-39: The headers of a fetch arrive with their names and values.
    // 1-40: The body of a fetch is sent byte for byte.
    // 1-13: The http host interface fetches a URL with a method, headers and a body; the oracle
    //   receives the status and the body bytes.
    id: 'rpc.oracle.http.any-request',
    title: 'any headers and bytes that an oracle sends arrive unchanged',
    clauses: ['1-39', '1-40', '1-13'],
    level: 'must',
    needs,
    run: async (t) => {
      const requests = fc.record({
        headers: fc.uniqueArray(fc.tuple(ownHeaderName(), wholeHeaderValue()), {
          maxLength: 4,
          selector: ([name]) => name.toLowerCase(),
        }),
        body: arbitraryBytes(),
      })
      await checkProperty(t, 'requests', requests, { runs: 8 }, async ({ headers, body }) => {
        const done = await probeFetch(t, { url: mirrorUrl(t), method: 'POST', headers, body })
        const seen = seenIn(done)
        expectEqual(seen.body, Buffer.from(body).toString('hex'), 'the body that arrived')
        for (const [name, value] of headers)
          expectEqual(valuesOf(seen.headers, name), [value], `the values of ${name}`)
      })
    },
  },
  {
    // 1-41: Any HTTP status is a response for the oracle to interpret, not an error of the call.
    // 1-13: The http host interface fetches a URL with a method, headers and a body; the oracle
    //   receives the status and the body bytes.
    id: 'rpc.oracle.http.statuses',
    title: 'every HTTP status is a response for the oracle, also those of failures',
    clauses: ['1-41', '1-13'],
    level: 'must',
    needs,
    run: async (t) => {
      const asked = statuses.map((code) => step.fetch({ url: mirrorUrl(t, `/status/${code}`) }))
      const done = await manySteps(t, asked)
      const seen = done.map((each) => (each.kind === 'response' ? each.status : each))
      expectEqual(seen, statuses, 'the statuses that the oracle received')
    },
  },
  {
    // 1-42: The body of a response reaches the oracle byte for byte.
    // 1-13: The http host interface fetches a URL with a method, headers and a body; the oracle
    //   receives the status and the body bytes.
    id: 'rpc.oracle.http.response-bytes',
    title: 'the body of a response arrives as bytes: none, one, invalid UTF-8, 64 KiB plus one',
    clauses: ['1-42', '1-13'],
    level: 'must',
    needs,
    run: async (t) => {
      const ask = (size: number) => step.fetch({ url: mirrorUrl(t, `/bytes/${size}`) })
      const small = [0, 1, 300, 4096]
      const large = 65_537
      const done = [...(await manySteps(t, small.map(ask))), ...(await lateSteps(t, [ask(large)]))]
      // The maximum is open (clause 1-48).
      const isRefused = done.at(-1)?.kind !== 'response'
      observed(t, 'refused-sizes', 'sizes of responses that are refused', isRefused ? [large] : [])
      for (const [i, size] of (isRefused ? small : [...small, large]).entries()) {
        const each = done[i]
        expectResponse(each, `${size} bytes`)
        expectEqual(each.size, size, 'the size of the body')
        const kept = bytesUp(Math.min(size, 4096)).toString('hex')
        expectEqual(each.body.toString('hex'), kept, `the first bytes of ${size}`)
      }
    },
  },
  {
    // 1-14: A fetch that fails gives the oracle an error string, not a trap.
    // 1-13: The http host interface fetches a URL with a method, headers and a body; the oracle
    //   receives the status and the body bytes.
    id: 'rpc.oracle.http.failed-call',
    title: 'a failed call gives the oracle an error string, and the run continues',
    clauses: ['1-14', '1-13'],
    level: 'must',
    needs,
    twin: 'the same call to a responding host',
    run: async (t) => {
      const urls = [
        'not a URL',
        'http://',
        'ftp://127.0.0.1/a',
        'file:///etc/hostname',
        closedPort(t),
      ]
      const wrong = urls.map((url) => step.fetch({ url }))
      const done = await manySteps(t, [...wrong, step.fetch({ url: mirrorUrl(t) })])
      await t.twin(async () => seenIn(done.at(-1)))
      for (const [i, url] of urls.entries()) {
        const each = done[i]
        expectStepError(each, `a fetch of ${url}`)
        t.observe(`${url}: ${each.error}`)
      }
    },
  },
  {
    // 1-43: Whether a response has its headers.
    id: 'rpc.oracle.http.observed.response-headers',
    title: 'observed: the response headers that an oracle receives',
    clauses: ['1-43'],
    level: 'may',
    needs,
    run: async (t) => {
      const done = await probeFetch(t, { url: mirrorUrl(t) })
      expectResponse(done, 'the mirror')
      observed(t, 'x-mirror-method', 'x-mirror-method', valuesOf(done.headers, 'x-mirror-method'))
      t.observe(`headers of a response: ${done.headers.map(([name]) => name).join(', ')}`)
    },
  },
  {
    // 1-44: Which headers and methods of a request the host reserves or refuses.
    id: 'rpc.oracle.http.observed.refused-requests',
    title: 'observed: headers reserved for the host, invalid methods, credentials in a URL',
    clauses: ['1-44'],
    level: 'may',
    needs,
    run: async (t) => {
      const url = mirrorUrl(t)
      const cases = {
        'a host header': step.fetch({ url, headers: [['Host', 'elsewhere.example']] }),
        'a content-length header': step.fetch({ url, headers: [['Content-Length', '3']] }),
        'a transfer-encoding header': step.fetch({
          url,
          headers: [['Transfer-Encoding', 'chunked']],
        }),
        'the method CONNECT': step.fetch({ url, method: 'CONNECT' }),
        'a method with a space': step.fetch({ url, method: 'GET /a' }),
        'a header with a line break': step.fetch({ url, headers: [['X-A', 'a\r\nX-B: b']] }),
        'credentials in the URL': step.fetch({ url: url.replace('://', '://user:word@') }),
      }
      const done = await manySteps(t, Object.values(cases))
      for (const [i, name] of Object.keys(cases).entries()) {
        const each = done[i]
        observed(t, 'response', name, each)
      }
    },
  },
  {
    // 1-47: How many HTTP calls a run may make, and the error for the next one.
    id: 'rpc.oracle.http.observed.calls',
    title: 'observed: fifty calls in a run, and one more',
    clauses: ['1-47'],
    level: 'may',
    needs,
    run: async (t) => {
      const calls = Array.from({ length: 51 }, () => step.fetch({ url: mirrorUrl(t, '/bytes/1') }))
      const late = (answer: Answer) => /took longer|time/i.test(failureOf(answer) ?? '')
      let answer = await runProbe(t, ...calls)
      for (let again = 0; late(answer) && again < 2; again++) answer = await runProbe(t, ...calls)
      if (late(answer)) throw new TooLate('a run of 51 calls timed out')
      const done = stepsOrError(answer)
      if (typeof done === 'string') return observed(t, 'answered-calls', 'a run of 51 calls', done)
      const answered = done.filter(({ kind }) => kind === 'response').length
      observed(t, 'answered-calls', 'the number of answered calls', answered)
      observed(t, 'next-call', 'the next call', done.at(-1))
    },
  },
  {
    // 1-48: The maximum size of a response, and the error for a larger one.
    id: 'rpc.oracle.http.observed.response-size',
    title: 'observed: a response of nearly 1 MiB, one of a byte more, one of 4 MiB',
    clauses: ['1-48'],
    level: 'may',
    needs,
    run: async (t) => {
      const mib = 1024 * 1024
      const ask = (bytes: number) => step.fetch({ url: mirrorUrl(t, `/bytes/${bytes}`) })
      // Headers count as well: a kilobyte is reserved for them.
      const sizes = [mib - 1024, mib + 1, 4 * mib]
      const done = stepsOrError(await runProbe(t, ...sizes.map(ask), ask(3)))
      if (typeof done === 'string')
        return observed(t, 'responses', `responses of ${sizes.join(', ')} bytes`, done)
      const kinds = done.map((each) =>
        each.kind === 'error' ? each.error : each.kind === 'response' ? each.size : each.kind,
      )
      observed(t, 'responses', `responses of ${sizes.join(', ')} and 3 bytes`, kinds, {
        size: sizes[0],
      })
    },
  },
]

/** A port without a listener, on the one host that an oracle may reach. */
function closedPort(t: CheckContext): string {
  const url = new URL(mirrorUrl(t))
  expectThat(url.port !== '1', 'the port of the fixture host', 'not 1', url.port)
  url.port = '1'
  return url.href
}
