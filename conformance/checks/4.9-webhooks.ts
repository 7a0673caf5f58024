import { decided, decidedEqual } from '../lab/decided.ts'
import { failureTypes } from '../lab/notification.ts'
import { withOwnKey } from '../lab/ownKey.ts'
import { type Fault, refusedMember } from '../lab/refusedMember.ts'
import { failureOf } from '../lab/requests.ts'
import { registerWebhookSubject } from '../lab/webhookSubject.ts'
import {
  anyUrl,
  expectRegistered,
  isRefused,
  registerWebhook,
  unregisterWebhook,
} from '../lab/webhooks.ts'
import type { Check } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import { expectMatch, expectThat, isObject, show } from '../runner/expect.ts'
import type { Answer } from '../wire/answer.ts'

/** Section 4.9: what may be registered, and what is answered. */
const needs = ['key:read', 'key:rpc'] as const

/** The registration, and its end, with a key of the check's own. */
const registering = (t: CheckContext, params: unknown): Promise<Answer> =>
  withOwnKey(t, async (key) => {
    const answer = await registerWebhook(t, params, key)
    if (!isRefused(answer)) await t.cleanup(() => unregisterWebhook(t, key))
    return answer
  })

const resultOf = ({ json }: Answer) =>
  isObject(json) && isObject(json.result) ? json.result : undefined

/** Refused by an error object or by `success: false`: the text leaves both. */
const expectRefused = (answer: Answer, what: string): void => {
  expectThat(isRefused(answer), what, 'a refusal', `${answer.status} ${answer.exchange.body}`)
  expectMatch(answer.exchange.body, /\S/, 'the reason')
}

const otherSchemes: Readonly<Record<string, string>> = {
  http: 'http://hooks.example.invalid/failures',
  ftp: 'ftp://hooks.example.invalid/failures',
  file: 'file:///etc/passwd',
  javascript: 'javascript:alert(1)',
  data: 'data:text/plain,hello',
  wss: 'wss://hooks.example.invalid/failures',
  'no-scheme': 'hooks.example.invalid/failures',
  'scheme-alone': 'https://',
  empty: '',
  words: 'not a URL at all',
}

/** Each leads inside, in one of the notations that readers of addresses know (decision W8). */
const privateUrls: Readonly<Record<string, string>> = {
  'ten-net': 'https://10.0.0.1/',
  '172-16': 'https://172.16.0.1/',
  '172-31': 'https://172.31.255.255/',
  '192-168': 'https://192.168.1.1/',
  'link-local': 'https://169.254.1.1/',
  metadata: 'https://169.254.169.254/latest/meta-data/',
  'shared-address': 'https://100.64.0.1/',
  unspecified: 'https://0.0.0.0/',
  'ipv6-loopback': 'https://[::1]/',
  'ipv6-unspecified': 'https://[::]/',
  'ipv6-local': 'https://[fe80::1]/',
  'ipv6-unique-local': 'https://[fd00::1]/',
  'ipv6-mapped': 'https://[::ffff:10.0.0.1]/',
  'ipv6-mapped-hex': 'https://[::ffff:a00:1]/',
  'ipv6-nat64': 'https://[64:ff9b::a00:1]/',
  decimal: 'https://167772161/',
  hex: 'https://0x0a000001/',
  'hex-short': 'https://0xa.1/',
  octal: 'https://012.0.0.1/',
  'loopback-hex': 'https://0x7f.2/',
  'loopback-other': 'https://127.8.8.8/',
  multicast: 'https://224.0.0.1/',
  broadcast: 'https://255.255.255.255/',
  'with-port': 'https://10.0.0.1:8443/hook',
  'full-width': 'https://１０.0.0.1/',
  localhost: 'https://a.localhost/',
}

/** Ports of other protocols: what is posted there may be read as their commands (decision W8). */
const otherPorts: Readonly<Record<string, number>> = { ssh: 22, smtp: 25, x11: 6000, irc: 6667 }

const faults: readonly Fault[] = [
  { name: 'url-missing', path: 'url', value: undefined, clauses: ['4.9-01'] },
  { name: 'url-null', path: 'url', value: null, clauses: ['4.9-01'] },
  { name: 'url-number', path: 'url', value: 443, clauses: ['4.9-01'] },
  { name: 'url-array', path: 'url', value: [anyUrl], clauses: ['4.9-01'] },
  { name: 'secret-number', path: 'secret', value: 12345678, clauses: ['4.9-03'] },
  { name: 'secret-object', path: 'secret', value: {}, clauses: ['4.9-03'] },
  { name: 'timeout-string', path: 'timeout_seconds', value: '10', clauses: ['4.9-04'] },
  { name: 'retries-string', path: 'max_retries', value: '3', clauses: ['4.9-06'] },
  { name: 'retries-array', path: 'max_retries', value: [3], clauses: ['4.9-06'] },
  { name: 'types-string', path: 'failure_types', value: 'timeout', clauses: ['4.9-08'] },
  { name: 'types-number', path: 'failure_types', value: [1], clauses: ['4.9-08'] },
]

const observedParams: Readonly<Record<string, Record<string, unknown>>> = {
  'unknown-type': { failure_types: ['bad_weather'] },
  'no-types': { failure_types: [] },
  'twice-the-same-type': { failure_types: ['timeout', 'timeout'] },
  'negative-retries': { max_retries: -1 },
  'half-a-retry': { max_retries: 1.5 },
  'many-retries': { max_retries: 1_000_000 },
  'no-time': { timeout_seconds: 0 },
  'negative-time': { timeout_seconds: -1 },
  'a-day': { timeout_seconds: 86_400 },
  'empty-secret': { secret: '' },
}

/** The refusal of an unknown type names the member and lists the types. */
const decidedList = (t: CheckContext, failure: string): void => {
  const named = ['failure_types[0]', 'bad_weather', ...failureTypes]
  const missing = named.filter((each) => !failure.includes(each))
  decided(t, missing.length === 0, 'what the refusal does not name', [], missing)
}

export const webhookChecks: readonly Check[] = [
  {
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
    id: 'rpc.registerWebhook.options',
    title: 'every option is taken: secret, timeout_seconds, max_retries, failure_types',
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
    id: 'rpc.registerWebhook.observed.messages',
    title: 'observed: the texts of message',
    clauses: ['4.9-18', '4.9-20'],
    level: 'may',
    needs,
    run: async (t) => {
      await withOwnKey(t, async (key) => {
        const registered = resultOf(await registerWebhook(t, { url: anyUrl }, key))
        decidedEqual(t, registered?.message, `Webhook registered for ${anyUrl}`, 'the message')
        const ended = resultOf(await unregisterWebhook(t, key))
        decidedEqual(t, ended?.message, 'Webhook unregistered', 'the message of the end')
        const again = await unregisterWebhook(t, key)
        t.observe(`unregisterWebhook without a webhook: ${show(resultOf(again) ?? again.json)}`)
        expectThat(again.status < 500, 'the HTTP status', 'below 500', again.status)
      })
    },
  },
  {
    id: 'rpc.unregisterWebhook.result',
    title: 'unregisterWebhook takes no params and returns success and message',
    clauses: ['4.9-11'],
    level: 'must',
    needs,
    run: async (t) => {
      await withOwnKey(t, async (key) => {
        for (const params of [{}, null, undefined]) {
          expectRegistered(await registerWebhook(t, { url: anyUrl }, key))
          expectRegistered(await unregisterWebhook(t, key, params))
        }
      })
    },
  },
  {
    id: 'rpc.registerWebhook.observed.again',
    title: 'a second registration with the same key is taken',
    clauses: ['4.9-15'],
    level: 'may',
    needs,
    run: async (t) => {
      await withOwnKey(t, async (key) => {
        expectRegistered(await registerWebhook(t, { url: anyUrl }, key))
        const again = await registerWebhook(t, { url: `${anyUrl}/2` }, key)
        decidedEqual(t, failureOf(again), undefined, 'the failure of a second registration')
        await t.cleanup(() => unregisterWebhook(t, key))
      })
    },
  },
  ...Object.entries(otherSchemes).map(
    ([name, url]): Check => ({
      id: `rpc.registerWebhook.url.${name}`,
      title: `registerWebhook is refused for '${url}', which is no HTTPS address`,
      clauses: ['4.9-02'],
      level: 'must',
      needs,
      twin: 'an https address',
      run: async (t) => {
        await t.twin(() => registerWebhookSubject.accepted(t))
        expectRefused(await registering(t, { url }), `the answer for ${url}`)
      },
    }),
  ),
  ...Object.entries(privateUrls).map(
    ([name, url]): Check => ({
      id: `rpc.registerWebhook.private.${name}`,
      title: `registerWebhook is refused for ${url}, which leads inside`,
      clauses: ['4.9-16'],
      level: 'may',
      needs,
      twin: 'a public https address',
      run: async (t) => {
        await t.twin(() => registerWebhookSubject.accepted(t))
        const answer = await registering(t, { url })
        const refused = isRefused(answer)
        decided(t, refused, `registering ${url}`, 'refused', refused ? 'refused' : 'registered')
      },
    }),
  ),
  ...Object.entries(otherPorts).map(
    ([name, port]): Check => ({
      id: `rpc.registerWebhook.port.${name}`,
      title: `registerWebhook is refused for port ${port}, which is not one of HTTP`,
      clauses: ['4.9-16'],
      level: 'may',
      needs,
      twin: 'an https address without a port',
      run: async (t) => {
        await t.twin(() => registerWebhookSubject.accepted(t))
        const url = `https://hooks.example.com:${port}/failures`
        const refused = isRefused(await registering(t, { url }))
        decided(t, refused, `registering ${url}`, 'refused', refused ? 'refused' : 'registered')
      },
    }),
  ),
  ...faults.map((fault) => refusedMember(registerWebhookSubject, fault)),
  ...Object.entries(observedParams).map(
    ([name, params]): Check => ({
      id: `rpc.registerWebhook.observed.${name}`,
      title: `observed: registerWebhook with ${JSON.stringify(params)}`,
      clauses: ['4.9-19'],
      level: 'may',
      needs,
      run: async (t) => {
        await registerWebhookSubject.accepted(t)
        const answer = await registering(t, { url: anyUrl, ...params })
        expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
        t.observe(`${JSON.stringify(params)}: ${failureOf(answer) ?? 'accepted'}`)
        if (name === 'unknown-type') decidedList(t, failureOf(answer) ?? 'accepted')
      },
    }),
  ),
  ...(['none', 'write'] as const).flatMap((key) =>
    (['registerWebhook', 'unregisterWebhook'] as const).map(
      (method): Check => ({
        id: `rpc.${method}.permission.${key}`,
        title: `${method} is refused with 403 for a key ${key === 'none' ? 'without permission' : 'that has RpcWrite alone'}`,
        clauses: ['4.9-17'],
        level: 'may',
        needs: [...needs, `key:${key}`],
        twin: 'the same with a key that has RpcRead',
        run: async (t) => {
          await t.twin(() => registerWebhookSubject.accepted(t))
          // An address that is none: a gateway that lets the key in leaves nothing behind.
          const answer = await t.gateway.call(method, { url: 'nowhere' }, { key })
          decidedEqual(t, answer.status, 403, `the HTTP status of ${method}`)
          if (answer.status === 403)
            decided(
              t,
              /RpcRead permission required/.test(answer.exchange.body),
              'the body',
              'RpcRead permission required',
              answer.json,
            )
        },
      }),
    ),
  ),
]
