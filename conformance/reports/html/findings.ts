import { counted } from 'polgate-lib/text/counted.ts'
import { deviationReasons } from '../deviation.ts'
import type { FailureGroup } from '../failureGroups.ts'
import type { Outage } from '../outages.ts'
import { outageHeadline, outageRows } from '../outageText.ts'
import { readableReason } from '../readableText.ts'
import { type CardContext, checkCard } from './checkCard.ts'
import { anchorOf, escaped, type Html } from './escape.ts'

/** Causes and cases of a cause that are shown at once; the rest is one step further. */
const firstGroups = 30
const firstCases = 10
/** Clauses that a heading names. */
const mostClauses = 3

/** A link to the card of a check. */
export const checkLink = (id: string): string =>
  `<a href="#${escaped(anchorOf(id))}"><code>${escaped(id)}</code></a>`

function clausesText(clauses: readonly string[]): string {
  const rest = clauses.length - mostClauses
  return clauses.slice(0, mostClauses).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** A part of a list that is opened only if somebody wants all of it. */
const folded = (what: string, pieces: readonly Html[]): readonly Html[] =>
  pieces.length === 0
    ? []
    : [`<details class="more"><summary>${what}</summary>\n`, ...pieces, '</details>\n']

function finding(group: FailureGroup, context: CardContext, open: boolean): readonly Html[] {
  const { results, level, clauses, cause, kind } = group
  const cards = results.map((result, i) => [...checkCard(result, context, { open: i === 0 }), '\n'])
  const why = results.length === 1 ? '' : `<p class="why">One cause: ${deviationReasons[kind]}.</p>`
  return [
    `<details class="finding ${level}"${open ? ' open' : ''}><summary><span class="count">${counted(results.length, 'check')}</span> <span class="level">${level}</span> <span class="clauses">${escaped(clausesText(clauses))}</span><strong>${escaped(readableReason(cause))}</strong></summary>${why}\n`,
    ...cards.slice(0, firstCases).flat(),
    ...folded(
      `${counted(results.length - firstCases, 'more check')}`,
      cards.slice(firstCases).flat(),
    ),
    '</details>\n',
  ]
}

/** An outage: the checks that it cost have no result, and are not failures. */
function outageFinding(outage: Outage, headline: string): string {
  const rows = outageRows(outage).map(
    ({ label, text }) => `<dt>${label}</dt><dd>${escaped(text)}</dd>`,
  )
  return `<details class="finding outage"><summary><span class="count">${counted(outage.checks.length, 'check')}</span> <span class="level">no answer</span><strong>${escaped(headline)}</strong></summary><dl class="facts">${rows.join('')}<dt>Checks</dt><dd>${outage.checks.map(checkLink).join(', ')}</dd></dl></details>\n`
}

/** Outages, then the failed checks by cause. Each is closed, unless it is the only one. */
export function findings(context: CardContext): readonly Html[] {
  const { groups, outages, started } = context.report
  const total = groups.length + outages.length
  if (total === 0) return []
  const shown = groups.map((group) => finding(group, context, total === 1))
  return [
    `<section aria-labelledby="findings"><h2 id="findings">Findings</h2>\n`,
    ...outages.map((outage) => outageFinding(outage, outageHeadline(outage, started))),
    ...shown.slice(0, firstGroups).flat(),
    ...folded(
      `${counted(groups.length - firstGroups, 'more cause')}`,
      shown.slice(firstGroups).flat(),
    ),
    '</section>\n',
  ]
}
