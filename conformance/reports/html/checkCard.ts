import type { CheckFinished } from '../../core/events.ts'
import { replayId } from '../../core/replayId.ts'
import { readableReason, readableTitle } from '../readableText.ts'
import type { Report } from '../report.ts'
import type { FindSimilarMutant } from '../similarity.ts'
import { differenceTable } from './difference.ts'
import { anchorOf, escaped, type Html } from './escape.ts'
import { exchanges } from './exchanges.ts'
import type { StoredEvidence } from './storedEvidence.ts'
import { waterfallFigure } from './waterfall.ts'

export type CardContext = {
  readonly report: Report
  readonly clauseTexts: ReadonlyMap<string, string>
  readonly like: FindSimilarMutant | undefined
  /** Evidence of the checks that did not fail. */
  readonly stored: StoredEvidence
}

const row = (name: string, html: string) => `<dt>${name}</dt><dd>${html}</dd>`

const difference = ({ expected, observed }: CheckFinished): string =>
  expected === undefined || observed === undefined
    ? ''
    : row('Difference', differenceTable(expected, observed))

/** A shell line that can be copied: manually, and by a button if scripts run. */
const command = (text: string): string =>
  `<div class="command"><pre>${escaped(text)}</pre><button type="button" class="copy" hidden>copy</button></div>`

function facts(result: CheckFinished, { report, clauseTexts, like }: CardContext): string {
  const { seed } = report.started
  const failed = result.verdict === 'failed'
  const similarity = failed ? like?.([result]) : undefined
  const clauses = result.clauses.map(
    (id) => `<b>${escaped(id)}</b> ${escaped(clauseTexts.get(id) ?? '')}`,
  )
  const { twin } = result
  return [
    result.call === undefined ? '' : row('Call', `<code>${escaped(result.call)}</code>`),
    result.sent === undefined
      ? ''
      : row('Sent', `<code>${escaped(readableReason(result.sent))}</code>`),
    row(result.clauses.length > 1 ? 'Clauses' : 'Clause', clauses.join('<br>')),
    twin === undefined
      ? ''
      : row(
          'Twin',
          `${escaped(twin.name)} <span class="word ${twin.accepted ? 'ok' : 'no'}">${twin.accepted ? 'ok' : 'REFUSED'}</span>`,
        ),
    result.reason === undefined
      ? ''
      : row(
          failed ? 'Fault' : 'Why',
          `${escaped(readableReason(result.reason))}${failed ? ' <span class="word no">WRONG</span>' : ''}`,
        ),
    failed ? difference(result) : '',
    result.counterexample === undefined
      ? ''
      : row(
          'Example',
          `<code>${escaped(result.counterexample.split('\n').map(readableReason).join('\n'))}</code>`,
        ),
    similarity === undefined
      ? ''
      : row(
          'Like',
          `mutant <code>${escaped(similarity.id)}</code> “${escaped(similarity.fault)}”, match ${similarity.match.toFixed(2)}`,
        ),
    (result.observations ?? []).length === 0
      ? ''
      : row(
          'Observed',
          (result.observations ?? []).map((text) => escaped(readableReason(text))).join('<br>'),
        ),
    failed ? row('Replay', command(`polgate replay ${replayId(result.id, seed)}`)) : '',
    failed && result.curl !== undefined ? row('curl', command(result.curl)) : '',
    failed ? row('Explain', command(`polgate explain ${result.id}`)) : '',
  ].join('')
}

/** One check: its verdict, the reason, and its evidence; in pieces. Closed by default. */
export function checkCard(
  result: CheckFinished,
  context: CardContext,
  { open = false }: { readonly open?: boolean } = {},
): readonly Html[] {
  const failed = result.verdict === 'failed'
  const head =
    `<details class="check ${result.verdict}" id="${escaped(anchorOf(result.id))}"${open ? ' open' : ''}>` +
    `<summary><span class="verdict">${result.verdict}</span> <code>${escaped(result.id)}</code> <span class="level">${result.level}</span> <span class="title">${escaped(readableTitle(result.title))}</span> <span class="ms">${Math.round(result.ms)} ms</span></summary>` +
    `<dl>${facts(result, context)}</dl>` +
    (failed && result.evidence.length > 1
      ? waterfallFigure(
          result.evidence,
          'What was sent and seen, milliseconds since the first of it',
        )
      : '')
  return [head, ...exchanges(result, context.stored), '</details>']
}
