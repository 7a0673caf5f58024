import { counted } from 'polgate-lib/text/counted.ts'
import { printable } from '../core/printable.ts'
import type { Colours } from './colours.ts'
import { type Change, type Comparison, isWorse, type Observed, type Slower } from './comparison.ts'
import { code, plain } from './markdown.ts'

/** Lines per heading; the rest is counted. Slower checks are sorted, so the slowest are listed. */
const mostLines = 50
const mostSlower = 10

/** Characters shown of an observation; `--json` has all of it. */
const longestSaid = 160

const bounded = (lines: readonly string[], most = mostLines): readonly string[] =>
  lines.length <= most ? lines : [...lines.slice(0, most), `  and ${lines.length - most} more`]

const words = (verdict: Change['after']) => verdict ?? 'did not report'

const changeLine = ({ id, section, level, before, after, reason }: Change): string =>
  `  ${section.padEnd(5)} ${id} (${level}): ${words(before)} -> ${words(after)}${reason === undefined ? '' : `: ${reason}`}`

/** Below this duration a ratio is meaningless. */
const leastForRatio = 100

const slowerLine = ({ id, before, after, ratio }: Slower): string =>
  `  ${id}: ${before} ms -> ${after} ms${before < leastForRatio ? '' : ` (${ratio} x)`}`

const short = (text: string) =>
  text.length > longestSaid ? `${text.slice(0, longestSaid)}...` : text

const said = (texts: readonly string[]) => short(texts.join('; ')) || 'nothing'

const observedLine = ({ id, clause, before, after }: Observed): string =>
  `  ${clause} ${id}: ${said(before)} -> ${said(after)}`

function verdictOf(comparison: Comparison): string {
  const { newFailures, newlyUntested, fixed } = comparison
  if (isWorse(comparison))
    return `WORSE: ${newFailures.length} new failures, ${newlyUntested.length} newly untested`
  return fixed.length > 0 ? `BETTER: ${fixed.length} fixed` : 'NO WORSE'
}

type Heading = readonly [title: string, lines: readonly string[], most?: number]

const headings = (comparison: Comparison): readonly Heading[] =>
  [
    ['New failures', comparison.newFailures.map(changeLine)] as const,
    ['Newly untested', comparison.newlyUntested.map(changeLine)] as const,
    ['Fixed', comparison.fixed.map(changeLine)] as const,
    ['Still failing', comparison.stillFailing.map(changeLine)] as const,
    ['Newly tested', comparison.newlyTested.map(changeLine)] as const,
    ['Slower', comparison.slower.map(slowerLine), mostSlower] as const,
    [
      'Observations on open points that differ (never a verdict)',
      comparison.observations.map(observedLine),
    ] as const,
  ].filter(([, lines]) => lines.length > 0)

/** For a terminal. */
export function comparisonText(comparison: Comparison, c: Colours): string {
  const colour = isWorse(comparison) ? c.red : c.green
  return [
    ...headings(comparison).flatMap(([title, lines, most]) => [
      c.bold(`${title}: ${lines.length}`),
      ...bounded(lines, most).map((line) => printable(line)),
      '',
    ]),
    `${counted(comparison.unchanged, 'check')} unchanged`,
    colour(c.bold(verdictOf(comparison))),
    '',
  ].join('\n')
}

/** For a comment on a pull request. */
export const comparisonMarkdown = (comparison: Comparison): string =>
  [
    `## ${isWorse(comparison) ? '❌' : '✅'} ${verdictOf(comparison)}`,
    '',
    ...headings(comparison).flatMap(([title, lines, most]) => [
      `### ${title}: ${lines.length}`,
      '',
      ...bounded(lines, most).map((line) => `- ${plain(line.trim())}`),
      '',
    ]),
    `${code(String(comparison.unchanged))} ${comparison.unchanged === 1 ? 'check' : 'checks'} unchanged.`,
    '',
  ].join('\n')
