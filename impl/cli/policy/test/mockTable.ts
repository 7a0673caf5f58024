import { stringifyExact } from 'polgate-protocol/exactJson.ts'
import type { Exchange } from 'polgate-service/oracles/recording/exchange.ts'
import type { JsonValue, OracleRequest } from 'polgate-testing/stack/oracleExchange.ts'
import {
  OracleReply,
  replyBody,
  replyFault,
  replyJson,
  replyNothing,
} from 'polgate-testing/stack/oracleReply.ts'
import type { MockHosts, MockReply } from '../../package/mocksSchema.ts'

/** What hosts answer to oracles in one run. Sequences of replies advance, so each run has its own. */
export type MockTable = {
  /** All mocked hosts, lower case, without the ports 80 and 443. */
  readonly hosts: readonly string[]
  /** Undefined if nothing answers this request. */
  reply(request: OracleRequest): OracleReply | undefined
}

export type MockSources = {
  readonly hosts: MockHosts
  /** With secrets instead of placeholders; they answer what no host does. */
  readonly exchanges: readonly Exchange[]
}

/** Answers where a mock is still to be written. */
export class UnwrittenReply extends OracleReply {
  readonly fillIn: string

  constructor(fillIn: string) {
    const { status, headers, body, delayMs } = replyJson(
      { error: `the mock is not filled in: ${fillIn}` },
      { status: 501 },
    )
    super({ status, headers, body, delayMs })
    this.fillIn = fillIn
  }
}

export const hostName = (host: string): string => host.toLowerCase().replace(/:(80|443)$/, '')

/**
 * @param changes take the place of the replies of the same host and path
 * @param now milliseconds; what `$now` in a reply is relative to
 */
export function mockTable(
  base: MockSources,
  changes: MockHosts = {},
  now: () => number = Date.now,
): MockTable {
  const routes = new Map<string, Map<string, readonly MockReply[]>>()
  for (const hosts of [base.hosts, changes]) {
    for (const [host, byPath] of Object.entries(hosts)) {
      const name = hostName(host)
      const known = routes.get(name) ?? new Map<string, readonly MockReply[]>()
      routes.set(name, known)
      for (const [path, reply] of Object.entries(byPath))
        known.set(path, Array.isArray(reply) ? reply : [reply])
    }
  }
  const used = new Map<readonly MockReply[], number>()
  const replayed = new Map<Exchange, number>()

  function next(replies: readonly MockReply[]): OracleReply {
    const at = used.get(replies) ?? 0
    used.set(replies, at + 1)
    return replyOf(replies[Math.min(at, replies.length - 1)]!, now())
  }

  const recorded = base.exchanges.map(({ request: { url } }) => hostOf(url))
  return {
    hosts: [...new Set([...routes.keys(), ...recorded.filter((host) => host !== undefined)])],
    reply(request) {
      const byPath = routes.get(request.url.host) ?? routes.get(request.url.hostname)
      const [best] = [...(byPath ?? [])]
        .map(([route, replies]) => ({ replies, rank: rankOf(route, request) }))
        .filter(({ rank }) => rank > 0)
        .sort((a, b) => b.rank - a.rank)
      if (best !== undefined) return next(best.replies)
      // The same request several times: one answer after the other, and the last one stays.
      const all = base.exchanges.filter((each) => isOf(each, request))
      const [first] = all
      if (first === undefined) return undefined
      const at = replayed.get(first) ?? 0
      replayed.set(first, at + 1)
      return recordedReply(all[Math.min(at, all.length - 1)]!)
    },
  }
}

function hostOf(url: string): string | undefined {
  try {
    return hostName(new URL(url).host)
  } catch {
    return undefined
  }
}

/** How precisely a route is of a request; 0 if it is not. */
function rankOf(route: string, { method, url }: OracleRequest): number {
  const [, wanted, path = ''] = /^(?:([A-Z]+) )?(.*)$/.exec(route) ?? []
  if (wanted !== undefined && wanted !== method) return 0
  const more = wanted === undefined ? 0 : 1
  if (path === '*') return 1 + more
  if (path.includes('?')) return path === url.pathname + url.search ? 7 + more : 0
  if (path === url.pathname) return 5 + more
  return path.includes('*') && segmentsMatch(path.split('/'), url.pathname.split('/'))
    ? 3 + more
    : 0
}

const segmentsMatch = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, at) => part === '*' || part === segments[at])

function replyOf(
  { status = 200, json, body, headers = {}, delayMs = 0, cut, fault, fillIn }: MockReply,
  now: number,
) {
  if (fillIn !== undefined) return new UnwrittenReply(fillIn)
  if (fault !== undefined)
    return replyFault(fault, {
      delayMs,
      body: body ?? stringifyExact(withTimes(json ?? { half: 'of the body' }, now)),
    })
  if (cut === true) return replyNothing({ delayMs })
  const options = { status, headers, delayMs }
  return json === undefined
    ? replyBody(body ?? '', options)
    : replyJson(withTimes(json, now), options)
}

/** `{$now: -10}` is the time ten seconds ago, in unix seconds. */
function withTimes(value: unknown, now: number): JsonValue {
  if (Array.isArray(value)) return value.map((each) => withTimes(each, now))
  if (typeof value !== 'object' || value === null) return value as JsonValue
  const { $now: seconds, ...others } = value as { readonly $now?: unknown }
  if (typeof seconds === 'number' && Object.keys(others).length === 0)
    return Math.floor(now / 1000) + seconds
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withTimes(each, now)]),
  )
}

const isOf = ({ request }: Exchange, asked: OracleRequest): boolean =>
  request.method.toUpperCase() === asked.method &&
  request.url === asked.url.href &&
  Buffer.from(request.body ?? '').toString('utf8') === asked.body

/** About the encoded body, which is stored decoded. */
const ofTheWire = /^(connection|keep-alive|content-length|content-encoding|transfer-encoding)$/i

function recordedReply({ answer }: Exchange): OracleReply {
  if (answer.kind !== 'response') return replyNothing()
  const { status, headers, body } = answer.response
  const kept = headers.filter(([name]) => !ofTheWire.test(name))
  return replyBody(body, { status, headers: Object.fromEntries(kept) })
}
