import { counted } from 'polgate-lib/text/counted.ts'
import type { CheckFinished } from '../core/events.ts'
import { printable } from '../core/printable.ts'
import { replayId } from '../core/replayId.ts'
import { certifies } from '../core/verdict.ts'
import type { FailureGroup } from './failureGroups.ts'
import { grouped } from './groups.ts'
import { highLoadText } from './loadText.ts'
import { normalised } from './normalised.ts'
import { outageHeadline, outageRows } from './outageText.ts'
import { ownText } from './ownText.ts'
import { clausesText, profileRows } from './profileText.ts'
import { readableDiff, readableReason } from './readableText.ts'
import { isComplete, matrixText, type Report } from './report.ts'
import type { FindSimilarMutant } from './similarity.ts'
import { diffText } from './structuralDiff.ts'

/** A step summary is limited to 1 MiB: causes past this are only counted. */
const mostFailures = 50
/** Names in the list of one cause. */
const mostNames = 100
const longestLine = 400
const longestReason = 300

const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length)}…` : text

/** Escapes text of a target: no markup, link, mention or table row. */
export const plain = (text: string): string =>
  printable(cut(text, longestReason))
    .replace(/[\\`*_{}[\]()<>#|~@&]/g, (mark) => `&#${mark.charCodeAt(0)};`)
    // A bare URL would become a link.
    .replace(/:(?=\/\/)/g, '&#58;')
    .replace(/(?<=www)\./gi, '&#46;')

/** A code span that no number of backticks in the text can end. */
export function code(text: string): string {
  const shown = printable(text)
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const pad = longest > 0 ? ' ' : ''
  return `${fence}${pad}${shown.replaceAll('|', '\\|')}${pad}${fence}`
}

/** A block that no line of the text can end. */
function block(language: string, lines: readonly string[]): readonly string[] {
  const shown = lines.map((line) => printable(cut(line, longestLine)))
  const longest = Math.max(2, ...shown.map((line) => /^`+/.exec(line)?.[0].length ?? 0))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${language}`, ...shown, fence]
}

/** A tick only for what certifies. */
const markOf = ({ verdict, code }: Report['summary']): string =>
  certifies(verdict) ? '✅' : code === 1 ? '❌' : '⚠️'

const clausesOf = ({ clauses }: CheckFinished) =>
  clauses.length === 0
    ? ''
    : `${clauses.length === 1 ? 'Clause' : 'Clauses'} ${clauses.map(code).join(', ')}: `

/** A failure in full, and the names of the others of the same cause. */
function groupSection({ cause, results }: FailureGroup, seed: string): readonly string[] {
  const [first, ...others] = results
  return [
    `### ${first.section} ${code(first.id)} (${first.level})${others.length === 0 ? '' : ` and ${others.length} more`}`,
    '',
    `**${plain(readableReason(cause))}**`,
    '',
    ...(first.sent === undefined ? [] : [`Sent ${code(readableReason(first.sent))}.`, '']),
    `${clausesOf(first)}${plain(readableReason(first.reason))}.`,
    '',
    ...(first.expected === undefined || first.observed === undefined
      ? []
      : [...block('diff', diffText(readableDiff(first.expected, first.observed))), '']),
    `Replay ${code(`polgate replay ${replayId(first.id, seed)}`)}, explain ${code(`polgate explain ${first.id}`)}.`,
    '',
    ...(others.length === 0
      ? []
      : [
          `<details><summary>The same cause in ${others.length} more</summary>`,
          '',
          others
            .slice(0, mostNames)
            .map(({ id }) => code(id))
            .join(', ') +
            (others.length > mostNames ? `, and ${others.length - mostNames} more` : ''),
          '',
          '</details>',
          '',
        ]),
  ]
}

const outageSection = ({ started, outages }: Report): readonly string[] =>
  outages.flatMap((outage) => [
    `> **Outage**: ${plain(outageHeadline(outage, started))}.`,
    '>',
    ...outageRows(outage).map(({ label, text }) => `> - ${label} ${plain(text)}`.trimEnd()),
    '',
  ])

/**
 * The result as Markdown for a pull request or a step summary: failures, and why the rest is not
 * proven.
 */
export function markdownReport(report: Report, like?: FindSimilarMutant): string {
  const { started, results, summary, score, matrix, unreported, groups } = report
  const load = highLoadText(report.finished?.load)
  const own = ownText(report)
  const { must, should, may } = summary.failed
  const failed = results.filter(({ verdict }) => verdict === 'failed')
  const waiting = results.filter(
    ({ verdict, outage }) =>
      outage === undefined && (verdict === 'untestable' || verdict === 'not-applicable'),
  )
  const reasonOf = ({ verdict, reason = '' }: CheckFinished) => `${verdict}: ${reason}`
  const reasons = grouped(waiting, (result) => normalised(reasonOf(result), result.id))
  const similarity = failed.length === 0 ? undefined : like?.(failed)
  return [
    `## ${markOf(summary)} ${summary.words}${summary.reason === undefined ? '' : `: ${plain(summary.reason)}`}`,
    '',
    ...(isComplete(report) ? [] : ['> **Incomplete**: the run did not finish.', '']),
    ...outageSection(report),
    '| failed | untestable | not applicable | did not report | passed | provable max | score |',
    '|---|---|---|---|---|---|---|',
    `| ${must} must, ${should} should, ${may} may | ${summary.untestable} | ${summary.notApplicable} | ${unreported.length} | ${summary.passed} | ${score.provable} of ${score.planned} | ${score.proven} of ${score.provable} |`,
    '',
    `Target ${code(started.gatewayUrl)}, seed ${code(started.seed)}, ${plain(started.suite)}. ` +
      `Clauses: ${clausesText(report)}.${matrix === undefined ? '' : ` Parameters: ${matrixText(matrix)}.`}`,
    '',
    ...profileRows(report).map(([label, text]) => `- ${plain(label)}: ${plain(text)}`),
    '',
    ...(own === undefined ? [] : [`Checks of the gateway's own: ${plain(own)}.`, '']),
    ...(load === undefined ? [] : [`Load of the machine: ${load}.`, '']),
    ...(similarity === undefined
      ? []
      : [
          `It behaves like mutant ${code(similarity.id)} (${plain(similarity.fault)}), match ${similarity.match.toFixed(2)}.`,
          '',
        ]),
    ...groups.slice(0, mostFailures).flatMap((group) => groupSection(group, started.seed)),
    ...(groups.length > mostFailures
      ? [`And ${counted(groups.length - mostFailures, 'more cause')}.`, '']
      : []),
    ...(reasons.size === 0
      ? []
      : [
          '<details><summary>What was not proven, and why</summary>',
          '',
          '| checks | why |',
          '|---|---|',
          ...[...reasons.values()].map(
            (some) => `| ${some.length} | ${plain(reasonOf(some[0]!))} |`,
          ),
          '',
          '</details>',
          '',
        ]),
  ].join('\n')
}
