import type { HostRequest } from '../hostFetch.ts'
import { holdsCredential, isCredential } from './credentials.ts'
import type { Exchange } from './exchange.ts'
import { textOf } from './recordingFormat.ts'
import { sortedHeaders } from './requestKey.ts'

const maxLength = 200

/** Formats the value of a member without secrets. */
type Show = (name: string, value: string) => string

type Member = readonly [name: string, value: string]

/**
 * Describes how a request differs from the most similar recorded one, member by member.
 *
 * @param left recorded exchanges that have not been used yet
 */
export function describeMismatch(
  request: HostRequest,
  recorded: readonly Exchange[],
  left: ReadonlySet<Exchange>,
  options: { readonly redacted: ReadonlySet<string>; readonly clean: (text: string) => string },
): string {
  const { redacted } = options
  const show: Show = (name, value) => {
    const text = options.clean(value).replace(/\p{Cc}/gu, '\ufffd')
    const header = name.replace(/^header /, '')
    const isKey = (header !== name && isCredential(header, text)) || holdsCredential(text)
    return isKey ? '(not shown)' : short(text)
  }
  const actual = membersOf(request, redacted)
  const first = `  ${request.method} ${show('url', request.url)}`
  const ranked = recorded
    .map((exchange) => {
      const members = membersOf(exchange.request, redacted)
      return { exchange, differences: differencesOf(actual, members) }
    })
    .sort((a, b) => a.differences.length - b.differences.length)
  const nearest = ranked.find(({ exchange }) => left.has(exchange)) ?? ranked[0]
  if (nearest === undefined) return `${first}\nThe recording has no exchange.`
  if (ranked[0]?.differences.length === 0 && nearest.differences.length > 0) {
    const times = ranked.filter(({ differences }) => differences.length === 0).length
    return `${first}\nIt was recorded ${times === 1 ? 'once' : `${times} times`} and sent again.`
  }
  if (nearest.differences.length === 0) return `${first}\nIt was recorded once and sent again.`
  const { method, url } = nearest.exchange.request
  return [
    first,
    `The nearest of ${recorded.length} is ${method} ${show('url', url)}, which differs:`,
    ...nearest.differences.flatMap(([name, was, is]) => [
      `  ${name}`,
      `    recorded ${was === undefined ? 'nothing' : show(name, was)}`,
      `    sent     ${is === undefined ? 'nothing' : show(name, is)}`,
    ]),
  ].join('\n')
}

function membersOf(request: HostRequest, redacted: ReadonlySet<string>): Member[] {
  const { method, url, headers, body } = request
  const at = url.indexOf('?')
  const [base, query] = at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
  return [
    ['method', method],
    ['url', base],
    ...counted([...new URLSearchParams(query)].map(([name, value]) => [`query ${name}`, value])),
    ...counted(sortedHeaders(headers, redacted).map(([name, value]) => [`header ${name}`, value])),
    ...(body === undefined || body.length === 0 ? [] : bodyMembers(body)),
  ]
}

/** Each member of a JSON object; of any other body the whole. */
function bodyMembers(body: Uint8Array): Member[] {
  const text = textOf(body)
  if (text === undefined)
    return [['body', `${body.length} bytes: ${Buffer.from(body).toString('base64')}`]]
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [['body', text]]
    const members = Object.entries(value).map(
      ([name, member]): Member => [`body.${name}`, JSON.stringify(member)],
    )
    return [...members, ['body', text]]
  } catch {
    return [['body', text]]
  }
}

/** Numbers members of the same name. */
function counted(members: readonly Member[]): Member[] {
  const seen = new Map<string, number>()
  return members.map(([name, value]) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return [count === 1 ? name : `${name} (${count})`, value]
  })
}

function differencesOf(
  actual: readonly Member[],
  recorded: readonly Member[],
): (readonly [name: string, was: string | undefined, is: string | undefined])[] {
  const is = new Map(actual)
  const was = new Map(recorded)
  const names = [...new Set([...was.keys(), ...is.keys()])]
  const different = names.filter((name) => was.get(name) !== is.get(name))
  // The whole body adds nothing to its members that differ.
  const inBody = different.some((name) => name.startsWith('body.'))
  return different
    .filter((name) => name !== 'body' || !inBody)
    .map((name) => [name, was.get(name), is.get(name)] as const)
}

const short = (text: string) => (text.length > maxLength ? `${text.slice(0, maxLength)}...` : text)
