import { createHash } from 'node:crypto'
import type { PlannedCheck } from '../../core/events.ts'
import { grouped } from '../groups.ts'
import { highLoadText, loadText } from '../loadText.ts'
import { outageHeadline, outageRows } from '../outageText.ts'
import { ownText } from '../ownText.ts'
import { readableReason, readableTitle } from '../readableText.ts'
import { bySection, isComplete, matrixText, type Report, verdictWords } from '../report.ts'
import type { FindSimilarMutant } from '../similarity.ts'
import { type CardContext, checkCard } from './checkCard.ts'
import { anchorOf, escaped, type Html } from './escape.ts'
import { type ClauseCoverage, clauseMatrix } from './matrix.ts'
import { script } from './script.ts'
import { storedEvidence } from './storedEvidence.ts'
import { style } from './style.ts'
import { notifyingTask } from './taskLife.ts'
import { waterfall } from './waterfall.ts'

export type HtmlOptions = {
  /**
   * What is known about the checks of each clause: how many, and how many mutants they detected.
   */
  readonly coverage?: ClauseCoverage | undefined
  readonly like?: FindSimilarMutant | undefined
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing is loaded or sent, and no other script than this page's runs. */
const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'`

function banner(report: Report): string {
  const { summary } = report
  const words = verdictWords(summary)
  const kind = words === 'CONFORMANT' ? 'good' : summary.code === 1 ? 'bad' : 'unsure'
  const reason = summary.reason === undefined ? '' : escaped(summary.reason)
  const cut = isComplete(report) ? '' : '<br>This run did not finish.'
  return `<div class="banner ${kind}"><strong>${words}</strong>${reason}${cut}</div>`
}

function tiles(report: Report): string {
  const { summary, score, unreported } = report
  const { must, should, may } = summary.failed
  const tile = (colour: string, value: string | number, text: string) =>
    `<li class="${colour}"><b>${value}</b><span>${text}</span></li>`
  const failed = must + should + may
  return `<ul class="tiles">${[
    tile(
      failed > 0 ? 'red' : '',
      failed,
      failed === must ? 'failed' : `failed: ${must} must, ${should} should, ${may} may`,
    ),
    tile(summary.untestable > 0 ? 'amber' : '', summary.untestable, 'untestable'),
    tile('', summary.notApplicable, 'not applicable'),
    ...(unreported.length > 0 ? [tile('amber', unreported.length, 'did not report')] : []),
    tile('green', summary.passed, 'passed'),
    tile('', `${score.provable} of ${score.planned}`, 'provable maximum'),
    tile('', `${score.proven} of ${score.provable}`, 'score'),
  ].join('')}</ul>`
}

function scoreBar({ score, summary }: Report): string {
  const { must, should, may } = summary.failed
  const width = (n: number) => (score.planned === 0 ? 0 : Math.round((n / score.planned) * 1000))
  const label = `${score.proven} proven of ${score.provable} provable, of ${score.planned} checks`
  return `<svg class="score" viewBox="0 0 1000 14" preserveAspectRatio="none" role="img" aria-label="${label}"><title>${label}</title><rect class="none" width="1000" height="14"/><rect class="provable" width="${width(score.provable)}" height="14"/><rect class="wrong" width="${width(score.proven + must + should + may)}" height="14"/><rect class="proven" width="${width(score.proven)}" height="14"/></svg>`
}

function facts(report: Report): string {
  const { started, finished, coverage, matrix } = report
  const own = ownText(report)
  const rows: readonly (readonly [string, string])[] = [
    ['Target', started.gatewayUrl],
    ['Seed', started.seed],
    ['Suite', started.suite],
    ...(own === undefined ? [] : ([['Own checks', own]] as const)),
    ['Started', started.at],
    ['Took', finished === undefined ? 'did not finish' : `${(finished.ms / 1000).toFixed(1)} s`],
    ...(finished?.load === undefined
      ? []
      : ([
          ['Load of the machine', highLoadText(finished.load) ?? loadText(finished.load)],
        ] as const)),
    ...(started.blockMs === undefined || started.blockMs < 1000
      ? []
      : [['Block time', `${(started.blockMs / 1000).toFixed(1)} s`] as const]),
    [
      'Clauses',
      `${coverage.proven} of ${coverage.clauses} proven, ${coverage.reasoned} with a written reason, ${coverage.refuted.length} refuted`,
    ],
    ...(matrix === undefined ? [] : [['Matrix', matrixText(matrix)] as const]),
    ...Object.entries(started.missing).map(([need, why]) => [`Lacks ${need}`, why] as const),
  ]
  return `<dl class="facts">${rows.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>`
}

const checkLink = (id: string) =>
  `<a href="#${escaped(anchorOf(id))}"><code>${escaped(id)}</code></a>`

/** One entry for each cause. */
function findings({ groups }: Report): string {
  if (groups.length === 0) return ''
  const lines = groups.map(({ cause, results: [first, ...others] }) => {
    const line = `${checkLink(first.id)} ${first.level}: ${escaped(readableReason(first.reason))}`
    return others.length === 0
      ? `<li>${line}</li>`
      : `<li><details><summary>${others.length + 1} checks failed for the same cause: ${escaped(readableReason(cause))}</summary>${line}, ${others.map(({ id }) => checkLink(id)).join(', ')}</details></li>`
  })
  return `<h2>Findings</h2><ul class="findings">${lines.join('')}</ul>`
}

function outageList({ started, outages }: Report): string {
  const items = outages.map((outage) => {
    const rows = outageRows(outage).map(
      ({ label, text }) => `<dt>${label}</dt><dd>${escaped(text)}</dd>`,
    )
    return `<p><strong>${escaped(outageHeadline(outage, started))}</strong></p><dl class="facts">${rows.join('')}<dt>Checks</dt><dd>${outage.checks.map(checkLink).join(', ')}</dd></dl>`
  })
  return items.length === 0 ? '' : `<h2>Outage</h2>${items.join('')}`
}

function oneTask({ results }: Report): string {
  const life = notifyingTask(results)
  if (life === undefined || life.surfaces < 2) return ''
  const of = `of check <a href="#${escaped(anchorOf(life.check))}"><code>${escaped(life.check)}</code></a>`
  const caption = `Task <code>${escaped(life.taskId)}</code> ${of}, milliseconds since its first message`
  return `<h2>One task on every surface</h2>${waterfall(life.seen, caption)}`
}

function filters(): string {
  const radio = (value: string, text: string) =>
    `<input type="radio" name="show" id="show-${value}"${value === 'all' ? ' checked' : ''}><label for="show-${value}">${text}</label>`
  return `<fieldset class="filters"><legend>Show checks that</legend>${[
    radio('all', 'all'),
    radio('failed', 'failed'),
    radio('untestable', 'untestable'),
    radio('not-applicable', 'not applicable'),
    radio('unreported', 'did not report'),
    radio('passed', 'passed'),
  ].join(
    '',
  )}<input type="search" placeholder="find a check" aria-label="find a check" hidden></fieldset>`
}

const unreportedCard = (check: PlannedCheck): string =>
  `<details class="check unreported" id="${escaped(anchorOf(check.id))}"><summary><span class="verdict">did not report</span> <code>${escaped(check.id)}</code> <span class="level">${check.level}</span> <span class="title">${escaped(readableTitle(check.title))}</span></summary><p>It was planned but has no result: it proves nothing.</p></details>`

function checks(report: Report, context: CardContext): readonly Html[] {
  const cards = [
    ...report.results.map((r) => ({ section: r.section, html: checkCard(r, context) })),
    ...report.unreported.map((c) => ({ section: c.section, html: [unreportedCard(c)] })),
  ]
  return [...grouped(cards, ({ section }) => section)]
    .sort(([a], [b]) => bySection(a, b))
    .flatMap(([section, some]) => [
      `<section class="part-of"><h3>Section ${escaped(section)}</h3>\n`,
      ...some.flatMap(({ html }, i) => [...html, i === some.length - 1 ? '</section>\n' : '\n']),
    ])
}

/**
 * A single file with everything a reader needs: works from a disk, without a network, and without
 * scripts. Exchanges of passed checks are included as JSON, truncated if there are very many.
 */
export const htmlReport = (report: Report, options: HtmlOptions = {}): string =>
  htmlPieces(report, options)
    .map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString()))
    .join('')

/** The page in pieces, in order: most of it is evidence, which stays the bytes of the log. */
export function htmlPieces(report: Report, options: HtmlOptions = {}): readonly Html[] {
  const context: CardContext = {
    report,
    clauseTexts: new Map(report.clauses.map(({ id, text }) => [id, text])),
    like: options.like,
    stored: storedEvidence(report.results.filter(({ verdict }) => verdict !== 'failed')),
  }
  const words = verdictWords(report.summary)
  const top = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy.replaceAll('"', '&quot;')}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${words}: ${escaped(report.started.gatewayUrl)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    `<header><h1>Certification of ${escaped(report.started.gatewayUrl)}</h1></header>`,
    '<main>',
    banner(report),
    tiles(report),
    scoreBar(report),
    facts(report),
    outageList(report) + findings(report),
    oneTask(report),
    '<h2>Clauses</h2>',
    clauseMatrix(report, options.coverage),
    '<h2>Checks</h2>',
    filters(),
  ]
  const bottom = [
    '</main>',
    `<footer>Made from the event log of the run with seed ${escaped(report.started.seed)} by ${escaped(report.started.suite)}.</footer>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
  ]
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`)
  return [...text(top), ...checks(report, context), ...text(bottom)]
}
