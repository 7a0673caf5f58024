import { type WaterfallItem, type WaterfallRow, waterfall } from 'polgate-lib/view/waterfall.ts'
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

/** Width and height of the timeline in units of its own; the column scales it. */
const wide = 1000
const high = 20

const scaled = (part: number) => Math.round(part * wide * 10) / 10

type Item = WaterfallItem & { readonly seen: Evidence }

const itemOf = (seen: Evidence, index: number): Item => ({
  id: String(index),
  seen,
  start: seen.at,
  ...(seen.kind === 'exchange' || seen.kind === 'unanswered' ? { end: seen.at + seen.ms } : {}),
})

function rowOf({ item: { seen }, shape, left, width, after }: WaterfallRow<Item>, grid: string) {
  const surface = surfaceOf(seen)
  const [what, outcome, bad] = labelOf(seen)
  const drawn =
    shape === 'event'
      ? `<path d="M${scaled(left)} 2h8v16h-8z"/>`
      : `<rect x="${scaled(left)}" y="4" width="${scaled(width)}" height="12"/>`
  const of = seen.phase === undefined ? '' : `<i>${seen.phase}</i> `
  return (
    `<li class="row ${surface}${bad ? ' bad' : ''}${seen.subject ? ' subject' : ''}"><span class="at">+${Math.round(after)} ms</span>` +
    `<span class="chip">${names[surface]}</span><span class="what">${of}${escaped(what)}</span>` +
    `<span class="outcome">${escaped(outcome)}</span>` +
    `<svg viewBox="0 0 ${wide} ${high}" preserveAspectRatio="none" aria-hidden="true">${grid}${drawn}</svg></li>`
  )
}

/**
 * Evidence on one time axis: a row each, with a bar for the duration of an exchange and a mark for an
 * event. The rows are a list for screen readers.
 */
export function waterfallFigure(evidence: readonly Evidence[], caption: string): string {
  const { rows, ticks } = waterfall(evidence.map(itemOf))
  const grid = `<path class="tick" d="${ticks.map(({ left }) => `M${scaled(left)} 0V${high}`).join('')}"/>`
  const axis = ticks
    .map(
      ({ after, left }) =>
        `<text x="${scaled(left)}" y="14"${left > 0.95 ? ' text-anchor="end"' : ''}>${Math.round(after * 10) / 10}</text>`,
    )
    .join('')
  return (
    `<figure class="waterfall"><figcaption>${caption}</figcaption><ol>` +
    `<li class="row axis" aria-hidden="true"><span class="at">ms</span><svg viewBox="0 0 ${wide} ${high}">${axis}</svg></li>` +
    `${rows.map((row) => rowOf(row, grid)).join('\n')}</ol></figure>`
  )
}
