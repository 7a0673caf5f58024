import type { CheckFinished, Evidence } from '../../core/events.ts'
import { evidenceCount } from '../../core/lazyEvidence.ts'
import { elementText, escaped, type Html } from './escape.ts'
import type { StoredEvidence } from './storedEvidence.ts'

/** Characters of a body that are shown: a log has no longer ones. */
const longestBody = 4_000

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

/** The headers of an answer that are shown. */
export const telling = /^(content-type|retry-after|location|allow|www-authenticate|x-)/

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

/**
 * Evidence of a check, in order of time; collapsed by default. That of a failed check is markup. Of
 * others there are megabytes: it is stored as JSON, which the script of the page shows in the same
 * form once it is opened, and which is what a reader without scripts sees. Returns it in pieces.
 */
export function exchanges(result: CheckFinished, stored: StoredEvidence): readonly Html[] {
  const count = evidenceCount(result)
  const data = result.verdict === 'failed' ? undefined : stored.get(result)
  if (count === 0 || (data === undefined && result.verdict !== 'failed')) return []
  const { evidenceDropped } = result
  const rest = count - (data?.items ?? count)
  const notes = [
    ...(evidenceDropped > 0
      ? [`${evidenceDropped} between the first and the last were dropped`]
      : []),
    ...(rest > 0 ? [`${rest} of them only in the event log`] : []),
  ]
  const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`
  const content =
    data === undefined
      ? [result.evidence.map((seen) => one(seen, longestBody)).join('\n')]
      : ['<pre class="stored">', data.html, '</pre>']
  const summary = `<summary>Evidence: ${count}${note}</summary>`
  return [`<details class="seen">${summary}`, ...content, '</details>']
}
