import type { Evidence } from '../../core/events.ts'
import { surfaceOf } from '../../core/surfaces.ts'
import { escaped } from './escape.ts'

const names = {
  rpc: 'RPC',
  explorer: 'explorer',
  websocket: 'WebSocket',
  webhook: 'webhook',
  block: 'block',
}

const member = (text: string, name: string) =>
  new RegExp(`"${name}"\\s*:\\s*"([^"]{1,60})"`).exec(text)?.[1]

const pathOf = (url: string) => url.replace(/^[a-z]+:\/\/[^/]*/i, '')

/** Label and outcome of an event, in a few words. */
function labelOf(seen: Evidence): readonly [what: string, outcome: string, bad: boolean] {
  if (seen.kind === 'exchange') {
    const { request } = seen
    const method = request.method === 'GET' ? pathOf(request.url) : member(request.body, 'method')
    const error = /"error"\s*:\s*\{/.test(seen.body)
    const bad = seen.status >= 400 || error
    return [method ?? request.method, `${seen.status}${error ? ' error' : ''}, ${seen.ms} ms`, bad]
  }
  if (seen.kind === 'unanswered') {
    const { request } = seen
    const method = request.method === 'GET' ? pathOf(request.url) : member(request.body, 'method')
    return [method ?? request.method, 'no answer', true]
  }
  if (seen.kind === 'frame') {
    const type = member(seen.text, 'type') ?? 'frame'
    const event = member(seen.text, 'event')
    const words = event === undefined ? type : `${type}: ${event}`
    const progress = /"progress"\s*:\s*(\d{1,3})/.exec(seen.text)?.[1]
    const direction = seen.from === 'suite' ? 'sent' : 'received'
    return [
      words,
      progress === undefined ? direction : `${direction}, ${progress} %`,
      event === 'failure',
    ]
  }
  if (seen.kind === 'webhook') {
    const kind = member(seen.body, 'failure_type') ?? 'attempt'
    const bad = seen.answered === null || seen.answered >= 300
    return [kind, seen.answered === null ? 'not answered' : `answered ${seen.answered}`, bad]
  }
  return [`block ${seen.number}`, 'mined', false]
}

/** Widths of the timeline, in its own units; the column scales it. */
const wide = 1000
const high = 20

/** A round step that divides an axis into four to nine parts. */
function stepOf(span: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(span, 1)))
  return [0.1, 0.2, 0.5, 1, 2].map((n) => n * power).find((step) => span / step <= 9) ?? power
}

/**
 * The evidence about one task on one time axis: a row each, with a bar for the duration of an
 * exchange and a mark for an event. The rows are a list for screen readers.
 */
export function waterfall(seen: readonly Evidence[], caption: string): string {
  const from = Math.min(...seen.map(({ at }) => at))
  const ends = seen.map((one) => one.at + (one.kind === 'exchange' ? one.ms : 0))
  const span = Math.max(1, Math.max(...ends) - from)
  const scale = (ms: number) => Math.round((ms / span) * (wide - 12) * 10) / 10
  const step = stepOf(span)
  const ticks = Array.from({ length: Math.floor(span / step) + 1 }, (_, i) => i * step)
  const grid = ticks.map((ms) => `<path class="tick" d="M${scale(ms)} 0V${high}"/>`).join('')
  const axis = ticks
    .map(
      (ms) =>
        `<text x="${scale(ms)}" y="14"${scale(ms) > 0.95 * wide ? ' text-anchor="end"' : ''}>${Math.round(ms * 10) / 10}</text>`,
    )
    .join('')
  const rows = seen.map((one) => {
    const surface = surfaceOf(one)
    const [what, outcome, bad] = labelOf(one)
    const x = scale(one.at - from)
    const width = one.kind === 'exchange' ? Math.max(8, scale(one.ms)) : 8
    const shape =
      one.kind === 'exchange'
        ? `<rect x="${x}" y="4" width="${width}" height="12"/>`
        : `<path d="M${x} 2h8v16h-8z"/>`
    return (
      `<li class="row ${surface}${bad ? ' bad' : ''}"><span class="at">+${Math.round(one.at - from)} ms</span>` +
      `<span class="chip">${names[surface]}</span><span class="what">${escaped(what)}</span>` +
      `<span class="outcome">${escaped(outcome)}</span>` +
      `<svg viewBox="0 0 ${wide} ${high}" preserveAspectRatio="none" aria-hidden="true">${grid}${shape}</svg></li>`
    )
  })
  return (
    `<figure class="waterfall"><figcaption>${caption}</figcaption><ol>` +
    `<li class="row axis" aria-hidden="true"><span class="at">ms</span><svg viewBox="0 0 ${wide} ${high}">${axis}</svg></li>` +
    `${rows.join('\n')}</ol></figure>`
  )
}
