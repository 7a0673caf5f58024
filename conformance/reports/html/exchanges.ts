import type { CheckFinished, Evidence } from '../../core/events.ts'
import { elementText, escaped } from './escape.ts'

/** Maximum characters of evidence of passed checks on a page; above it less of it is shown. */
const budget = 11_000_000

/** How much evidence of one check is shown. */
export type Shown = {
  /** Characters of a body. */
  readonly body: number
  /** Exchanges, frames and so on, from the first. */
  readonly items: number
}
const everything: Shown = { body: 4_000, items: 1_000 }
const steps: readonly Shown[] = [
  everything,
  { body: 1_200, items: 25 },
  { body: 400, items: 12 },
  { body: 120, items: 6 },
  { body: 60, items: 2 },
  { body: 0, items: 0 },
]

/** Overhead around a body: tags, headers, the address. */
const around = 450

function sizeOf(seen: Evidence, { body }: Shown): number {
  const size = (text: string) => {
    const shown = text.slice(0, body)
    const escapes = shown.match(/[&<>]/g)?.length ?? 0
    return shown.length * 1.4 + escapes * 4
  }
  if (seen.kind === 'exchange') return around + size(seen.request.body) + size(seen.body)
  if (seen.kind === 'unanswered') return around + size(seen.request.body)
  if (seen.kind === 'frame') return around + size(seen.text)
  return seen.kind === 'webhook' ? around + size(seen.body) : around
}

/** How much evidence of each passed check fits a page of these results. */
export function shownOf(results: readonly CheckFinished[]): Shown {
  const fits = (shown: Shown) => {
    let total = 0
    for (const { evidence } of results)
      for (const seen of evidence.slice(0, shown.items)) {
        total += sizeOf(seen, shown)
        if (total > budget) return false
      }
    return true
  }
  return steps.find(fits)!
}

const cut = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text

/** The chosen headers, a line each; all by default. */
function headerLines(headers: Readonly<Record<string, string>>, chosen?: RegExp): string {
  let lines = ''
  for (const name of Object.keys(headers))
    if (chosen === undefined || chosen.test(name)) lines += `${name}: ${headers[name]}\n`
  return lines
}

/** JSON indented; anything else unchanged. */
function pretty(text: string, limit: number): string {
  if (text.length > limit) return cut(text, limit)
  try {
    const spaced = JSON.stringify(JSON.parse(text), null, 1)
    return spaced.length > 1.6 * text.length + 100 ? text : spaced
  } catch {
    return text
  }
}

const part = (title: string, text: string): string =>
  text === '' ? '' : `<p class="part">${title}</p><pre>${elementText(text)}</pre>`

const telling = /^(content-type|retry-after|location|allow|www-authenticate|x-)/

type Requested = Extract<Evidence, { readonly request: unknown }>

const requestLine = ({ request }: Requested) => escaped(`${request.method} ${request.url}`)

/** An entity: text with no character above U+00FF takes half of the memory and of the time. */
const arrow = '&rarr;'

function requestText({ request }: Requested, limit: number): string {
  const key =
    request.key === undefined ? '' : `${request.keyHeader ?? 'authorization'}: $${request.key}\n`
  return `${headerLines(request.headers)}${key}\n${pretty(request.body, limit)}`.trim()
}

function one(seen: Evidence, limit: number): string {
  const at = `<span class="at">+${Math.round(seen.at)} ms</span>`
  const head = (surface: string, html: string) =>
    `<p class="seen ${surface}">${at} <span class="chip">${surface}</span> ${html}</p>`
  if (seen.kind === 'exchange')
    return (
      head('http', `${requestLine(seen)} ${arrow} ${seen.status}, ${seen.ms} ms`) +
      part('request', requestText(seen, limit)) +
      part('answer', `${headerLines(seen.headers, telling)}\n${pretty(seen.body, limit)}`.trim())
    )
  if (seen.kind === 'unanswered')
    return (
      head('http', `${requestLine(seen)} ${arrow} no answer: ${escaped(seen.why)}, ${seen.ms} ms`) +
      part('request', requestText(seen, limit))
    )
  if (seen.kind === 'frame')
    return (
      head('frame', seen.from === 'suite' ? 'sent by the suite' : 'sent by the gateway') +
      part('text', pretty(seen.text, limit))
    )
  if (seen.kind === 'webhook')
    return (
      head('webhook', `POST ${escaped(seen.path)} ${arrow} ${seen.answered ?? 'no answer'}`) +
      part('request', `${headerLines(seen.headers)}\n${pretty(seen.body, limit)}`.trim())
    )
  return head('block', `block ${seen.number}`)
}

/** Evidence of a check, in order of time; collapsed by default. */
export function exchanges(result: CheckFinished, shown: Shown): string {
  const { evidence, evidenceDropped } = result
  const { body, items } = result.verdict === 'failed' ? everything : shown
  if (evidence.length === 0 || items === 0) return ''
  const rest = evidence.length - items
  const notes = [
    ...(evidenceDropped > 0
      ? [`${evidenceDropped} between the first and the last were dropped`]
      : []),
    ...(rest > 0 ? [`${rest} of them only in the event log`] : []),
  ]
  const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`
  const parts = evidence.slice(0, items).map((seen) => one(seen, body))
  return `<details class="seen"><summary>Evidence: ${evidence.length}${note}</summary>${parts.join('\n')}</details>`
}
