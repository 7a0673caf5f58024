import { stringifyExact } from 'polgate-protocol/exactJson.ts'
import type { Exchange } from 'polgate-service/oracles/recording/exchange.ts'
import type { OracleRequest } from 'polgate-testing/stack/oracleExchange.ts'
import {
  OracleReply,
  replyBody,
  replyFault,
  replyJson,
  replyNothing,
} from 'polgate-testing/stack/oracleReply.ts'
import type { MockHosts, MockReply } from '../../package/mocksSchema.ts'
import { keyOf, repliesFor } from './mockCondition.ts'
import { computed, type ReplyContext } from './mockValues.ts'
import { hostName } from './secretHosts.ts'

/** What hosts answer to oracles in one run. Sequences of replies advance, so each run has its own. */
export type MockTable = {
  /** All mocked hosts, lower case, without the ports 80 and 443. */
  readonly hosts: readonly string[]
  /** Undefined if nothing answers this request. */
  reply(request: OracleRequest): OracleReply | undefined
  /** For reports: the placeholder of a host that is a secret. */
  nameOf(host: string): string
}

export type MockSources = {
  readonly hosts: MockHosts
  /** With secrets instead of placeholders; they answer what no host does. */
  readonly exchanges: readonly Exchange[]
  /** Placeholders of hosts that are secrets, by host. */
  readonly secretHosts?: ReadonlyMap<string, string>
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

/**
 * @param changes come before the replies of the same host and path, and take their place where they answer
 * @param now milliseconds; what `$now` in a reply is relative to
 */
export function mockTable(
  base: MockSources,
  changes: MockHosts = {},
  now: () => number = Date.now,
): MockTable {
  const routes = new Map<string, Map<string, readonly (readonly MockReply[])[]>>()
  for (const hosts of [base.hosts, changes]) {
    for (const [host, byPath] of Object.entries(hosts)) {
      const name = hostName(host)
      const known = routes.get(name) ?? new Map<string, readonly (readonly MockReply[])[]>()
      routes.set(name, known)
      for (const [path, reply] of Object.entries(byPath))
        known.set(path, [Array.isArray(reply) ? reply : [reply], ...(known.get(path) ?? [])])
    }
  }
  const used = new Map<readonly MockReply[], Map<string, number>>()
  const replayed = new Map<Exchange, number>()

  /** One reply after the other of those with the same condition. */
  function next(
    layers: readonly (readonly MockReply[])[],
    request: OracleRequest,
  ): OracleReply | undefined {
    for (const layer of layers) {
      const replies = repliesFor(layer, request)
      if (replies.length === 0) continue
      const counts = used.get(layer) ?? new Map<string, number>()
      used.set(layer, counts)
      const key = keyOf(replies[0]!.when)
      const at = counts.get(key) ?? 0
      counts.set(key, at + 1)
      return replyOf(replies[Math.min(at, replies.length - 1)]!, { now: now(), request })
    }
    return undefined
  }

  const recorded = base.exchanges.map(({ request: { url } }) => hostOf(url))
  return {
    hosts: [...new Set([...routes.keys(), ...recorded.filter((host) => host !== undefined)])],
    reply(request) {
      const byPath = routes.get(request.url.host) ?? routes.get(request.url.hostname)
      const matching = [...(byPath ?? [])]
        .map(([route, layers]) => ({ layers, rank: rankOf(route, request) }))
        .filter(({ rank }) => rank > 0)
        .sort((a, b) => b.rank - a.rank)
      for (const { layers } of matching) {
        const reply = next(layers, request)
        if (reply !== undefined) return reply
      }
      // The same request several times: one answer after the other, and the last one stays.
      const all = base.exchanges.filter((each) => isOf(each, request))
      const [first] = all
      if (first === undefined) return undefined
      const at = replayed.get(first) ?? 0
      replayed.set(first, at + 1)
      return recordedReply(all[Math.min(at, all.length - 1)]!)
    },
    nameOf: (host) => base.secretHosts?.get(host) ?? host,
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
  if (path.includes('?')) return isSameQuery(path, url) ? 7 + more : 0
  if (path === url.pathname) return 5 + more
  return path.includes('*') && segmentsMatch(path.split('/'), url.pathname.split('/'))
    ? 3 + more
    : 0
}

/** In any order, as servers read it. */
function isSameQuery(path: string, url: URL): boolean {
  if (path === url.pathname + url.search) return true
  if (!URL.canParse(path, url.href)) return false
  const wanted = new URL(path, url)
  const sorted = ({ searchParams }: URL) => JSON.stringify([...searchParams].sort())
  return wanted.pathname === url.pathname && sorted(wanted) === sorted(url)
}

const segmentsMatch = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, at) => part === '*' || part === segments[at])

function replyOf(
  { status = 200, json, body, headers = {}, delayMs = 0, cut, fault, fillIn }: MockReply,
  context: ReplyContext,
) {
  if (fillIn !== undefined) return new UnwrittenReply(fillIn)
  if (fault !== undefined)
    return replyFault(fault, {
      delayMs,
      body: body ?? stringifyExact(computed(json ?? { half: 'of the body' }, context)),
    })
  if (cut === true) return replyNothing({ delayMs })
  const options = { status, headers, delayMs }
  return json === undefined
    ? replyBody(body ?? '', options)
    : replyJson(computed(json, context), options)
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
