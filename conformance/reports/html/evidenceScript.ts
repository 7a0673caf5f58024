import { controlsInLines } from '../../core/printable.ts'
import { telling } from './exchanges.ts'

/**
 * The part of the page's script that shows stored evidence when it is opened, as `exchanges.ts` shows
 * that of failed checks: a test compares the two. All texts become text nodes, never markup.
 */
export const evidenceScript = `
const controls = new RegExp(${JSON.stringify(controlsInLines.source)}, 'gu')
const printable = (text) => text
  .replace(controls, (letter) => '\\\\u' + letter.charCodeAt(0).toString(16).padStart(4, '0'))
  .replaceAll('##[', '#\\\\u0023[')
const element = (tag, className, ...content) => {
  const made = document.createElement(tag)
  made.className = className
  made.append(...content)
  return made
}
const headerLines = (headers, chosen) => Object.keys(headers)
  .filter((name) => chosen === undefined || chosen.test(name))
  .map((name) => name + ': ' + headers[name] + '\\n')
  .join('')
const pretty = (text) => {
  try {
    const spaced = JSON.stringify(JSON.parse(text), null, 1)
    return spaced.length > 1.6 * text.length + 100 ? text : spaced
  } catch {
    return text
  }
}
const part = (title, text) => text === '' ? [] : [
  element('p', 'part', title), element('pre', '', printable(text)),
]
const requestLine = ({ request }) => request.method + ' ' + request.url
const requestText = ({ request }) => {
  const key = request.key === undefined ? '' : (request.keyHeader ?? 'authorization') + ': $' + request.key + '\\n'
  return (headerLines(request.headers) + key + '\\n' + pretty(request.body)).trim()
}
const shows = {
  exchange: (seen) => ['http', requestLine(seen) + ' \\u2192 ' + seen.status + ', ' + seen.ms + ' ms', [
    ...part('request', requestText(seen)),
    ...part('answer', (headerLines(seen.headers, ${telling}) + '\\n' + pretty(seen.body)).trim()),
  ]],
  unanswered: (seen) => ['http', requestLine(seen) + ' \\u2192 no answer: ' + seen.why + ', ' + seen.ms + ' ms',
    part('request', requestText(seen))],
  frame: (seen) => ['frame', 'sent by the ' + (seen.from === 'suite' ? 'suite' : 'gateway'),
    part('text', pretty(seen.text))],
  webhook: (seen) => ['webhook', 'POST ' + seen.path + ' \\u2192 ' + (seen.answered ?? 'no answer'),
    part('request', (headerLines(seen.headers) + '\\n' + pretty(seen.body)).trim())],
  block: (seen) => ['block', 'block ' + seen.number, []],
}
const shownEvidence = (seen) => {
  const [surface, text, parts] = shows[seen.kind](seen)
  const at = element('span', 'at', '+' + Math.round(seen.at) + ' ms')
  return [element('p', 'seen ' + surface, at, ' ', element('span', 'chip', surface), ' ' + printable(text)), ...parts]
}
document.addEventListener('toggle', ({ target }) => {
  const stored = target.open && target.querySelector(':scope > pre.stored')
  if (stored) stored.replaceWith(...JSON.parse(stored.textContent).flatMap(shownEvidence))
}, true)
`
