import type { PlannedCheck } from '../../core/events.ts'
import type { Verdict } from '../../core/verdict.ts'
import { grouped } from '../groups.ts'
import { readableTitle } from '../readableText.ts'
import { bySection } from '../report.ts'
import { type CardContext, checkCard } from './checkCard.ts'
import { anchorOf, escaped, type Html } from './escape.ts'

/** The sections of a list with at most this many checks are open. */
const short = 20

type Card = { readonly section: string; readonly html: readonly Html[] }

const unreportedCard = (check: PlannedCheck): string =>
  `<details class="check unreported" id="${escaped(anchorOf(check.id))}"><summary><span class="verdict">did not report</span> <code>${escaped(check.id)}</code> <span class="level">${check.level}</span> <span class="title">${escaped(readableTitle(check.title))}</span></summary><p>It was planned but has no result: it proves nothing.</p></details>`

function listOf(verdict: string, words: string, cards: readonly Card[]): readonly Html[] {
  if (cards.length === 0) return []
  const sections = [...grouped(cards, ({ section }) => section)].sort(([a], [b]) => bySection(a, b))
  const open = cards.length <= short ? ' open' : ''
  return [
    `<details class="list ${verdict}"><summary><span class="verdict">${cards.length} ${words}</span></summary>\n`,
    ...sections.flatMap(([section, some]) => [
      `<details class="part-of"${open}><summary>Section ${escaped(section)} <span class="level">${some.length}</span></summary>\n`,
      ...some.flatMap(({ html }) => [...html, '\n']),
      '</details>\n',
    ]),
    '</details>\n',
  ]
}

/** The checks that did not fail, by verdict and section; each list is closed. Failed ones are findings. */
export function checkList(context: CardContext): readonly Html[] {
  const { results, unreported } = context.report
  const of = (verdict: Verdict): readonly Card[] =>
    results
      .filter((result) => result.verdict === verdict)
      .map((result) => ({ section: result.section, html: checkCard(result, context) }))
  const lists = [
    ...listOf('untestable', 'untestable', of('untestable')),
    ...listOf('not-applicable', 'not applicable', of('not-applicable')),
    ...listOf(
      'unreported',
      'did not report',
      unreported.map((check) => ({ section: check.section, html: [unreportedCard(check)] })),
    ),
    ...listOf('passed', 'passed', of('passed')),
  ]
  return lists.length === 0 ? [] : [`<h2>Checks that did not fail</h2>\n`, ...lists]
}
