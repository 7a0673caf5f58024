import { createHash } from 'node:crypto'
import type { Report } from '../report.ts'
import type { FindSimilarMutant } from '../similarity.ts'
import type { CardContext } from './checkCard.ts'
import { checkList } from './checkList.ts'
import { escaped, type Html } from './escape.ts'
import { checkLink, findings } from './findings.ts'
import { type ClauseCoverage, clauseMatrix } from './matrix.ts'
import { banner, facts, scoreBar, tiles } from './overview.ts'
import { script } from './script.ts'
import { storedEvidence } from './storedEvidence.ts'
import { style } from './style.ts'
import { notifyingTask } from './taskLife.ts'
import { waterfallFigure } from './waterfall.ts'

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

/** A part of the page that few need: closed. */
const fold = (title: string, html: string): string =>
  html === '' ? '' : `<details class="fold"><summary><h2>${title}</h2></summary>${html}</details>`

function oneTask({ results }: Report): string {
  const life = notifyingTask(results)
  if (life === undefined || life.surfaces < 2) return ''
  const caption = `Task <code>${escaped(life.taskId)}</code> of check ${checkLink(life.check)}, milliseconds since its first message`
  return waterfallFigure(life.seen, caption)
}

/** Shown by the script, which hides what does not match. */
const search =
  '<p class="search" hidden><input type="search" placeholder="find a check" aria-label="find a check"><output></output></p>'

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
  const top = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy.replaceAll('"', '&quot;')}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escaped(report.summary.words)}: ${escaped(report.started.gatewayUrl)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    `<header><h1>Certification of ${escaped(report.started.gatewayUrl)}</h1></header>`,
    '<main>',
    banner(report),
    search,
  ]
  const result = [
    '<section class="result" aria-labelledby="result"><h2 id="result">Result</h2>',
    tiles(report),
    scoreBar(report),
    facts(report),
    fold('One task on every surface', oneTask(report)),
    fold('Clauses', clauseMatrix(report, options.coverage)),
    '</section>',
  ]
  const bottom = [
    '</main>',
    `<footer>Made from the event log of the run with seed ${escaped(report.started.seed)} by ${escaped(report.started.suite)}.</footer>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
  ]
  const text = (lines: readonly string[]) => lines.filter(Boolean).map((line) => `${line}\n`)
  return [
    ...text(top),
    ...findings(context),
    ...text(result),
    ...checkList(context),
    ...text(bottom),
  ]
}
