import type { CheckFinished, Evidence } from '../../runner/events.ts'
import { escaped } from './escape.ts'

/** Characters of bodies that a page may hold; past it those of passing checks are cut shorter. */
const budget = 8_000_000
const limits = [4_000, 1_200, 400, 120]

const sizeOf = (seen: Evidence, limit: number): number => {
  const short = (text: string) => Math.min(text.length, limit)
  if (seen.kind === 'exchange') return 300 + short(seen.request.body) + short(seen.body)
  if (seen.kind === 'frame') return 150 + short(seen.text)
  return seen.kind === 'webhook' ? 300 + short(seen.body) : 100
}

/** How much of each body of a passing check a page of these results can show. */
export const bodyLimit = (results: readonly CheckFinished[]): number => {
  const total = (limit: number) =>
    results.reduce((n, r) => n + r.evidence.reduce((m, seen) => m + sizeOf(seen, limit), 0), 0)
  return limits.find((limit) => total(limit) <= budget) ?? limits.at(-1)!
}

const cut = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')

/** JSON as a reader wants it; anything else as it came. */
const pretty = (text: string, limit: number): string => {
  if (text.length > limit) return cut(text, limit)
  try {
    const spaced = JSON.stringify(JSON.parse(text), null, 1)
    return spaced.length > 2 * text.length + 200 ? text : spaced
  } catch {
    return text
  }
}

const part = (title: string, text: string): string =>
  text === '' ? '' : `<p class="part">${title}</p><pre>${escaped(text)}</pre>`

const telling = /^(content-type|retry-after|location|allow|www-authenticate|x-)/

const one = (seen: Evidence, limit: number): string => {
  const at = `<span class="at">+${Math.round(seen.at)} ms</span>`
  const head = (surface: string, text: string) =>
    `<p class="seen ${surface}">${at} <span class="chip">${surface}</span> ${escaped(text)}</p>`
  if (seen.kind === 'exchange') {
    const { request } = seen
    const key =
      request.key === undefined ? '' : `${request.keyHeader ?? 'authorization'}: $${request.key}\n`
    const said = Object.fromEntries(
      Object.entries(seen.headers).filter(([name]) => telling.test(name)),
    )
    return (
      head('http', `${request.method} ${request.url} → ${seen.status}, ${seen.ms} ms`) +
      part(
        'request',
        `${headerLines(request.headers)}${key}\n${pretty(request.body, limit)}`.trim(),
      ) +
      part('answer', `${headerLines(said)}\n${pretty(seen.body, limit)}`.trim())
    )
  }
  if (seen.kind === 'frame')
    return (
      head('frame', seen.from === 'suite' ? 'sent by the suite' : 'sent by the gateway') +
      part('text', pretty(seen.text, limit))
    )
  if (seen.kind === 'webhook')
    return (
      head('webhook', `POST ${seen.path} → ${seen.answered ?? 'no answer'}`) +
      part('request', `${headerLines(seen.headers)}\n${pretty(seen.body, limit)}`.trim())
    )
  return head('block', `block ${seen.number}`)
}

/** Everything that a check saw, in the order of time; closed until somebody asks. */
export const exchanges = (result: CheckFinished, limit: number): string => {
  const { evidence, evidenceDropped } = result
  if (evidence.length === 0) return ''
  const bound = result.verdict === 'failed' ? limits[0]! : limit
  const dropped =
    evidenceDropped > 0 ? ` (${evidenceDropped} between the first and the last were not kept)` : ''
  return `<details class="seen"><summary>${evidence.length} exchanges, frames, webhooks and blocks${dropped}</summary>${evidence.map((seen) => one(seen, bound)).join('\n')}</details>`
}
