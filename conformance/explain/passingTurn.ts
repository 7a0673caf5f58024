import type { CheckFinished, Evidence } from '../core/events.ts'

/** One request and its response, as `svc explain` shows them. */
export type Turn = { readonly sent: string; readonly received: string }

/** Characters of a text that are shown. */
const longest = 350
const cut = (text: string) => (text.length > longest ? `${text.slice(0, longest)}...` : text)

function turnOf(evidence: Evidence): Turn | undefined {
  if (evidence.kind === 'exchange') {
    const { method, url, body } = evidence.request
    const { pathname, search } = new URL(url)
    return {
      sent: cut(`${method} ${pathname}${search} ${body}`.trimEnd()),
      received: cut(`${evidence.status} ${evidence.body}`.trimEnd()),
    }
  }
  if (evidence.kind === 'frame' && evidence.from === 'gateway')
    return { sent: 'WebSocket', received: cut(evidence.text) }
  if (evidence.kind === 'webhook')
    return { sent: `POST ${cut(evidence.body)}`, received: `${evidence.answered ?? 'no answer'}` }
  return undefined
}

/**
 * The exchange that a check is about: the last of its main part, which its assertions judge. Cleanup
 * never is; the valid twin only where the check sent nothing else.
 */
export function passingTurn({ evidence }: Pick<CheckFinished, 'evidence'>): Turn | undefined {
  const turns = evidence.flatMap((each) => {
    const turn = each.phase === 'cleanup' ? undefined : turnOf(each)
    return turn === undefined ? [] : [{ turn, phase: each.phase }]
  })
  return (turns.findLast(({ phase }) => phase === undefined) ?? turns.at(-1))?.turn
}
