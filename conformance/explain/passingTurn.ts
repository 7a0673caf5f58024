import type { CheckFinished, Evidence } from '../core/events.ts'
import { readable } from '../core/shorten.ts'

/** One request and its response, as `polgate explain` shows them. */
export type Turn = { readonly sent: string; readonly received: string }

/** Characters of a text that are shown. */
const longest = 350
const cut = (text: string) => readable(text, longest)

function sentText({ request }: Extract<Evidence, { readonly request: unknown }>): string {
  const { pathname, search } = new URL(request.url)
  return cut(`${request.method} ${pathname}${search} ${request.body}`.trimEnd())
}

function turnOf(evidence: Evidence): Turn | undefined {
  if (evidence.kind === 'exchange') {
    return {
      sent: sentText(evidence),
      received: cut(`${evidence.status} ${evidence.body}`.trimEnd()),
    }
  }
  if (evidence.kind === 'unanswered')
    return { sent: sentText(evidence), received: `no answer: ${evidence.why}` }
  if (evidence.kind === 'frame' && evidence.from === 'gateway')
    return { sent: 'WebSocket', received: cut(evidence.text) }
  if (evidence.kind === 'webhook')
    return { sent: `POST ${cut(evidence.body)}`, received: `${evidence.answered ?? 'no answer'}` }
  return undefined
}

/**
 * The exchange that a check is about: the one whose answer its assertions judged last, or what came on
 * another surface at the end. Without a mark, as in the log of an earlier release, the last of its main
 * part. Cleanup never is; the valid twin only where the check sent nothing else.
 */
export function passingTurn({ evidence }: Pick<CheckFinished, 'evidence'>): Turn | undefined {
  const turns = evidence.flatMap((each) => {
    const turn = each.phase === 'cleanup' ? undefined : turnOf(each)
    return turn === undefined ? [] : [{ turn, each }]
  })
  const last = turns.findLast(({ each }) => each.phase === undefined)
  const judged = turns.find(({ each }) => each.subject === true)
  const isRequest = last?.each.kind === 'exchange' || last?.each.kind === 'unanswered'
  return ((isRequest ? judged : undefined) ?? last ?? turns.at(-1))?.turn
}
