import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import { lastPart } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectMatch, expectThat, isObject, show } from '../core/expect.ts'
import { failureTypes } from '../kit/assertions/notification.ts'
import { observed } from '../kit/assertions/observed.ts'
import { type Fault, refusedMember } from '../kit/scenarios/refusedMember.ts'
import { failureOf } from '../kit/scenarios/requests.ts'
import { registerWebhookSubject } from '../kit/scenarios/webhookSubject.ts'
import {
  anyUrl,
  expectRegistered,
  isRefused,
  registerWebhook,
  unregisterWebhook,
  withClearedKey,
} from '../kit/scenarios/webhooks.ts'

/** Section 4.9: valid registrations, and the responses to them. */
const needs = ['key:read', 'key:rpc'] as const

/** Registers and unregisters, with a dedicated API key. */
const registering = (t: CheckContext, params: unknown): Promise<Answer> =>
  withClearedKey(t, (key) => registerWebhook(t, params, key))

const resultOf = ({ json }: Answer) =>
  isObject(json) && isObject(json.result) ? json.result : undefined

/** Refused by an error object or by `success: false`: the specification allows both. */
function expectRefused(answer: Answer, what: string): void {
  expectThat(isRefused(answer), what, 'a refusal', `${answer.status} ${answer.exchange.body}`)
  expectMatch(answer.exchange.body, /\S/, 'the reason')
}

const otherSchemes: Readonly<Record<string, string>> = {
  // 4.9-02: url is an HTTPS address; another scheme is refused.
  'rpc.registerWebhook.url.http': 'http://hooks.example.invalid/failures',
  'rpc.registerWebhook.url.ftp': 'ftp://hooks.example.invalid/failures',
  'rpc.registerWebhook.url.file': 'file:///etc/passwd',
  'rpc.registerWebhook.url.javascript': 'javascript:alert(1)',
  'rpc.registerWebhook.url.data': 'data:text/plain,hello',
  'rpc.registerWebhook.url.wss': 'wss://hooks.example.invalid/failures',
  'rpc.registerWebhook.url.no-scheme': 'hooks.example.invalid/failures',
  'rpc.registerWebhook.url.scheme-alone': 'https://',
  'rpc.registerWebhook.url.empty': '',
  'rpc.registerWebhook.url.words': 'not a URL at all',
}

/** Private addresses, each in a notation that URL parsers accept (decision W8). */
const privateUrls: Readonly<Record<string, string>> = {
  // 4.9-16: What a gateway does with a URL of a private address, or with a port of another
  //   protocol.
  'rpc.registerWebhook.private.ten-net': 'https://10.0.0.1/',
  'rpc.registerWebhook.private.172-16': 'https://172.16.0.1/',
  'rpc.registerWebhook.private.172-31': 'https://172.31.255.255/',
  'rpc.registerWebhook.private.192-168': 'https://192.168.1.1/',
  'rpc.registerWebhook.private.link-local': 'https://169.254.1.1/',
  'rpc.registerWebhook.private.metadata': 'https://169.254.169.254/latest/meta-data/',
  'rpc.registerWebhook.private.shared-address': 'https://100.64.0.1/',
  'rpc.registerWebhook.private.unspecified': 'https://0.0.0.0/',
  'rpc.registerWebhook.private.ipv6-loopback': 'https://[::1]/',
  'rpc.registerWebhook.private.ipv6-unspecified': 'https://[::]/',
  'rpc.registerWebhook.private.ipv6-local': 'https://[fe80::1]/',
  'rpc.registerWebhook.private.ipv6-unique-local': 'https://[fd00::1]/',
  'rpc.registerWebhook.private.ipv6-mapped': 'https://[::ffff:10.0.0.1]/',
  'rpc.registerWebhook.private.ipv6-mapped-hex': 'https://[::ffff:a00:1]/',
  'rpc.registerWebhook.private.ipv6-nat64': 'https://[64:ff9b::a00:1]/',
  'rpc.registerWebhook.private.decimal': 'https://167772161/',
  'rpc.registerWebhook.private.hex': 'https://0x0a000001/',
  'rpc.registerWebhook.private.hex-short': 'https://0xa.1/',
  'rpc.registerWebhook.private.octal': 'https://012.0.0.1/',
  'rpc.registerWebhook.private.loopback-hex': 'https://0x7f.2/',
  'rpc.registerWebhook.private.loopback-other': 'https://127.8.8.8/',
  'rpc.registerWebhook.private.multicast': 'https://224.0.0.1/',
  'rpc.registerWebhook.private.broadcast': 'https://255.255.255.255/',
  'rpc.registerWebhook.private.with-port': 'https://10.0.0.1:8443/hook',
  'rpc.registerWebhook.private.full-width': 'https://１０.0.0.1/',
  'rpc.registerWebhook.private.localhost': 'https://a.localhost/',
}

/** Ports of other protocols, whose servers may read a POST as commands (decision W8). */
const otherPorts: Readonly<Record<string, number>> = {
  'rpc.registerWebhook.port.ssh': 22,
  'rpc.registerWebhook.port.smtp': 25,
  'rpc.registerWebhook.port.x11': 6000,
  'rpc.registerWebhook.port.irc': 6667,
}

const faults: readonly Fault[] = [
  {
    // 4.9-01: url is required and a string.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.registerWebhook.params.url-missing',
    path: 'url',
    value: undefined,
    clauses: ['4.9-01'],
  },
  { id: 'rpc.registerWebhook.params.url-null', path: 'url', value: null, clauses: ['4.9-01'] },
  { id: 'rpc.registerWebhook.params.url-number', path: 'url', value: 443, clauses: ['4.9-01'] },
  { id: 'rpc.registerWebhook.params.url-array', path: 'url', value: [anyUrl], clauses: ['4.9-01'] },
  {
    // 4.9-03: secret is optional and a string.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.registerWebhook.params.secret-number',
    path: 'secret',
    value: 12345678,
    clauses: ['4.9-03'],
  },
  {
    id: 'rpc.registerWebhook.params.secret-object',
    path: 'secret',
    value: {},
    clauses: ['4.9-03'],
  },
  {
    // 4.9-04: timeout_seconds is optional, a number, and limits each request.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.registerWebhook.params.timeout-string',
    path: 'timeout_seconds',
    value: '10',
    clauses: ['4.9-04'],
  },
  {
    // 4.9-06: max_retries is optional, a number, and limits the attempts.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.registerWebhook.params.retries-string',
    path: 'max_retries',
    value: '3',
    clauses: ['4.9-06'],
  },
  {
    id: 'rpc.registerWebhook.params.retries-array',
    path: 'max_retries',
    value: [3],
    clauses: ['4.9-06'],
  },
  {
    // 4.9-08: failure_types is optional, an array of strings; failures of other types are not sent.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.registerWebhook.params.types-string',
    path: 'failure_types',
    value: 'timeout',
    clauses: ['4.9-08'],
  },
  {
    id: 'rpc.registerWebhook.params.types-number',
    path: 'failure_types',
    value: [1],
    clauses: ['4.9-08'],
  },
]

const observedParams: Readonly<Record<string, Record<string, unknown>>> = {
  // 4.9-19: What a gateway does with unknown failure types, and with invalid numbers.
  'rpc.registerWebhook.observed.unknown-type': { failure_types: ['bad_weather'] },
  'rpc.registerWebhook.observed.no-types': { failure_types: [] },
  'rpc.registerWebhook.observed.twice-the-same-type': { failure_types: ['timeout', 'timeout'] },
  'rpc.registerWebhook.observed.negative-retries': { max_retries: -1 },
  'rpc.registerWebhook.observed.half-a-retry': { max_retries: 1.5 },
  'rpc.registerWebhook.observed.many-retries': { max_retries: 1_000_000 },
  'rpc.registerWebhook.observed.no-time': { timeout_seconds: 0 },
  'rpc.registerWebhook.observed.negative-time': { timeout_seconds: -1 },
  'rpc.registerWebhook.observed.a-day': { timeout_seconds: 86_400 },
  'rpc.registerWebhook.observed.empty-secret': { secret: '' },
}

/** The refusal of an unknown type names the member and lists the types. */
function observeUnnamed(t: CheckContext, failure: string): void {
  const named = ['failure_types[0]', 'bad_weather', ...failureTypes]
  const missing = named.filter((each) => !failure.includes(each))
  observed(t, 'not-named', 'what the refusal does not name', missing)
}

export const webhookChecks: readonly Check[] = [
  {
    // 4.9-10: registerWebhook returns success and message.
    // 4.9-01: url is required and a string.
    // 4.9-02: url is an HTTPS address; another scheme is refused.
    id: 'rpc.registerWebhook.result',
    title: 'registerWebhook with a URL alone returns success and message',
    clauses: ['4.9-10', '4.9-01', '4.9-02'],
    level: 'must',
    needs,
    run: async (t) => {
      expectRegistered(await registering(t, { url: anyUrl }))
    },
  },
  {
    // 4.9-03: secret is optional and a string.
    // 4.9-04: timeout_seconds is optional, a number, and limits each request.
    // 4.9-06: max_retries is optional, a number, and limits the attempts.
    // 4.9-08: failure_types is optional, an array of strings; failures of other types are not sent.
    // 4.9-10: registerWebhook returns success and message.
    // 6.3-01: failure_type is one of channel_error, timeout, quorum_not_reached,
    //   onchain_submission_failed, policy_evaluation_failed, signature_verification_failed,
    //   internal_error.
    id: 'rpc.registerWebhook.options',
    title: 'every option is accepted: secret, timeout_seconds, max_retries, failure_types',
    clauses: ['4.9-03', '4.9-04', '4.9-06', '4.9-08', '4.9-10', '6.3-01'],
    level: 'must',
    needs,
    run: async (t) => {
      const options = [
        { secret: 'a secret with an ümlaut' },
        { timeout_seconds: 5 },
        { timeout_seconds: 2.5 },
        { max_retries: 0 },
        { max_retries: 5 },
        ...failureTypes.map((type) => ({ failure_types: [type] })),
        { secret: 's', timeout_seconds: 1, max_retries: 1, failure_types: failureTypes },
      ]
      for (const option of options)
        expectRegistered(await registering(t, { url: anyUrl, ...option }))
    },
  },
  {
    // 4.9-18: The texts of message.
    // 4.9-20: The response of unregisterWebhook when no webhook is registered.
    id: 'rpc.registerWebhook.observed.messages',
    title: 'observed: the texts of message',
    clauses: ['4.9-18', '4.9-20'],
    level: 'may',
    needs,
    run: async (t) => {
      await withClearedKey(t, async (key) => {
        const registered = expectRegistered(await registerWebhook(t, { url: anyUrl }, key))
        observed(t, 'registered', 'the message', registered.message, { url: anyUrl })
        const ended = resultOf(await unregisterWebhook(t, key))
        observed(t, 'unregistered', 'the message of unregistering', ended?.message)
        const again = await unregisterWebhook(t, key)
        t.observe(`unregisterWebhook without a webhook: ${show(resultOf(again) ?? again.json)}`)
        expectThat(again.status < 500, 'the HTTP status', 'below 500', again.status)
      })
    },
  },
  {
    // 4.9-11: unregisterWebhook takes no params and returns success and message.
    id: 'rpc.unregisterWebhook.result',
    title: 'unregisterWebhook takes no params and returns success and message',
    clauses: ['4.9-11'],
    level: 'must',
    needs,
    run: async (t) => {
      await withClearedKey(t, async (key) => {
        for (const params of [{}, undefined]) {
          expectRegistered(await registerWebhook(t, { url: anyUrl }, key))
          expectRegistered(await unregisterWebhook(t, key, params))
        }
      })
    },
  },
  {
    // 4.9-15: The effect of a second registration with the same key.
    id: 'rpc.registerWebhook.observed.again',
    title: 'a second registration with the same key is accepted',
    clauses: ['4.9-15'],
    level: 'may',
    needs,
    run: async (t) => {
      await withClearedKey(t, async (key) => {
        expectRegistered(await registerWebhook(t, { url: anyUrl }, key))
        const again = await registerWebhook(t, { url: `${anyUrl}/2` }, key)
        observed(t, 'failure', 'the failure of a second registration', failureOf(again))
      })
    },
  },
  ...Object.entries(otherSchemes).map(
    ([id, url]): Check => ({
      id,
      title: `registerWebhook is refused for '${url}', which is not an HTTPS address`,
      clauses: ['4.9-02'],
      level: 'must',
      needs,
      twin: 'an https address',
      run: async (t) => {
        await t.twin(() => registerWebhookSubject.accepted(t))
        expectRefused(await registering(t, { url }), `the response for ${url}`)
      },
    }),
  ),
  ...Object.entries(privateUrls).map(
    ([id, url]): Check => ({
      id,
      title: `registerWebhook is refused for ${url}, which is a private address`,
      clauses: ['4.9-16'],
      level: 'may',
      needs,
      twin: 'a public https address',
      run: async (t) => {
        await t.twin(() => registerWebhookSubject.accepted(t))
        const answer = await registering(t, { url })
        const refused = isRefused(answer)
        observed(t, 'answer', `registering ${url}`, refused ? 'refused' : 'registered')
      },
    }),
  ),
  ...Object.entries(otherPorts).map(
    ([id, port]): Check => ({
      id,
      title: `registerWebhook is refused for port ${port}, which is not an HTTP port`,
      clauses: ['4.9-16'],
      level: 'may',
      needs,
      twin: 'an https address without a port',
      run: async (t) => {
        await t.twin(() => registerWebhookSubject.accepted(t))
        const url = `https://hooks.example.com:${port}/failures`
        const refused = isRefused(await registering(t, { url }))
        observed(t, 'answer', `registering ${url}`, refused ? 'refused' : 'registered')
      },
    }),
  ),
  ...faults.map((fault) => refusedMember(registerWebhookSubject, fault)),
  ...Object.entries(observedParams).map(
    ([id, params]): Check => ({
      id,
      title: `observed: registerWebhook with ${JSON.stringify(params)}`,
      clauses: ['4.9-19'],
      level: 'may',
      needs,
      run: async (t) => {
        await registerWebhookSubject.accepted(t)
        const answer = await registering(t, { url: anyUrl, ...params })
        expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
        t.observe(`${JSON.stringify(params)}: ${failureOf(answer) ?? 'accepted'}`)
        if (lastPart(id) === 'unknown-type') observeUnnamed(t, failureOf(answer) ?? 'accepted')
      },
    }),
  ),
  ...(
    [
      // 4.9-17: The permission that the two methods need (section 5.1).
      ['rpc.registerWebhook.permission.none', 'registerWebhook', 'none'],
      ['rpc.unregisterWebhook.permission.none', 'unregisterWebhook', 'none'],
      ['rpc.registerWebhook.permission.write', 'registerWebhook', 'write'],
      ['rpc.unregisterWebhook.permission.write', 'unregisterWebhook', 'write'],
    ] as const
  ).map(
    ([id, method, key]): Check => ({
      id,
      title: `${method} is refused with 403 for a key ${key === 'none' ? 'without permission' : 'that has only RpcWrite'}`,
      clauses: ['4.9-17'],
      level: 'may',
      needs: [...needs, `key:${key}`],
      twin: 'the same with a key that has RpcRead',
      run: async (t) => {
        await t.twin(() => registerWebhookSubject.accepted(t))
        // An invalid address: a gateway that accepts the key stores nothing.
        const answer = await t.gateway.call(method, { url: 'nowhere' }, { key })
        observed(t, 'status', `the HTTP status of ${method}`, answer.status)
        if (answer.status === 403) observed(t, 'body', 'the body', answer.json)
      },
    }),
  ),
]
