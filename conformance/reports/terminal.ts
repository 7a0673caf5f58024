import { clauses } from '../register/register.ts'
import type { CheckFinished } from '../runner/events.ts'
import type { Colours } from './colours.ts'
import type { Coverage, Report } from './report.ts'

const clauseTexts = new Map(clauses.map((clause) => [clause.id, clause.text]))

/** What a target sent must not steer the terminal: control characters are shown as their codes. */
const printable = (text: string): string =>
  [...text]
    .map((letter) => {
      const code = letter.codePointAt(0)!
      const control = code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x202e
      return control ? `\\u${code.toString(16).padStart(4, '0')}` : letter
    })
    .join('')

const row = (label: string, text: string) => `  ${label.padEnd(9)}${printable(text)}`

/** One failed check, with what a reader needs to see it for himself. */
const failureLines = (result: CheckFinished, c: Colours): readonly string[] => [
  `${c.red('x')} ${result.section} ${c.bold(result.id)}  ${result.level.toUpperCase()}  ${(result.ms / 1000).toFixed(2)}s`,
  row('Title', result.title),
  ...result.clauses.map((id, i) => row(i === 0 ? 'Clause' : '', `${id}: ${clauseTexts.get(id)}`)),
  ...(result.twin === undefined
    ? []
    : [row('Twin', `${result.twin.name}: ${result.twin.accepted ? 'accepted' : 'REFUSED'}`)]),
  row('Fault', result.reason ?? ''),
  ...(result.expected === undefined ? [] : [row('Expected', result.expected)]),
  ...(result.observed === undefined ? [] : [row('Observed', result.observed)]),
  ...(result.counterexample === undefined ? [] : [row('Example', result.counterexample)]),
  ...(result.curl === undefined ? [] : [row('Replay', result.curl)]),
  '',
]

/** How much of each section a run has proven; coloured where a check could still prove more. */
const sectionLines = (sections: Coverage['sections'], c: Colours): readonly string[] => {
  const cells = sections.map(({ section, clauses, proven, reasoned }) => {
    const provable = clauses - reasoned
    const cell = `${section.padEnd(5)}${proven}/${provable}`.padEnd(14)
    return proven === provable ? cell : c.yellow(cell)
  })
  return Array.from({ length: Math.ceil(cells.length / perLine) }, (_, i) =>
    `  ${cells.slice(i * perLine, (i + 1) * perLine).join('')}`.trimEnd(),
  )
}
const perLine = 6

/** Checks with the same reason in one line, so that a missing key is said once. */
const groupedReasons = (results: readonly CheckFinished[]): readonly string[] => {
  const groups = new Map<string, string[]>()
  for (const result of results) {
    const reason = result.reason ?? 'no reason given'
    groups.set(reason, [...(groups.get(reason) ?? []), result.id])
  }
  return [...groups].map(([reason, ids]) => {
    const shown = ids.slice(0, 4).join(', ')
    const rest = ids.length > 4 ? ` and ${ids.length - 4} more` : ''
    return `  ${ids.length} x ${printable(reason)}: ${shown}${rest}`
  })
}

export type TerminalOptions = {
  readonly colours: Colours
  /** Where the written reports are, for the last line. */
  readonly reportPath?: string | undefined
  /** Print the observations of open points too. */
  readonly verbose?: boolean
}

/** The result for a person: failures, what could not be tested, and the footer where the eye ends. */
export const terminalReport = (report: Report, options: TerminalOptions): string => {
  const { colours: c } = options
  const { results, summary, coverage, started } = report
  const of = (verdict: string) => results.filter((r) => r.verdict === verdict)
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [c.bold(title), ...lines, '']
  const observed = results.flatMap((r) =>
    (r.observations ?? []).map((text) => `  ${r.clauses[0]?.padEnd(7)} ${printable(text)}`),
  )
  const footer = footerLine(report, c, options.reportPath)
  return [
    ...of('failed').flatMap((result) => failureLines(result, c)),
    ...section('Untestable', groupedReasons(of('untestable'))),
    ...section('Not applicable', groupedReasons(of('not-applicable'))),
    ...(options.verbose ? section('Observed on open points (never a verdict)', observed) : []),
    ...section('Clauses proven, of those with a check', sectionLines(coverage.sections, c)),
    `clauses  ${coverage.proven} of ${coverage.clauses} proven, ${coverage.reasoned} with a written reason, ${coverage.refuted.length} refuted` +
      (observed.length > 0 ? ` | ${observed.length} observations on open points` : ''),
    `target   ${started.gatewayUrl}`,
    ...(report.finished === undefined || summary.code === 130
      ? [c.yellow('INCOMPLETE: the run was interrupted')]
      : []),
    footer,
  ].join('\n')
}

const footerLine = (report: Report, c: Colours, reportPath: string | undefined): string => {
  const { summary, started } = report
  const { must, should, may } = summary.failed
  const failed = must + should + may
  const parts = [
    failed === 0
      ? c.green('FAILED 0')
      : c.red(
          `FAILED ${[`${must} must`, ...(should ? [`${should} should`] : []), ...(may ? [`${may} may`] : [])].join(', ')}`,
        ),
    `${summary.untestable} untestable`,
    ...(summary.notApplicable > 0 ? [`${summary.notApplicable} not applicable`] : []),
    `${summary.passed} passed`,
    `provable max ${summary.total - summary.untestable - summary.notApplicable} of ${summary.total}`,
    `seed ${started.seed}`,
    ...(reportPath === undefined ? [] : [`report ${reportPath}`]),
  ]
  const verdict =
    summary.code === 0
      ? c.green(c.bold('CONFORMANT'))
      : summary.code === 1
        ? c.red(c.bold('NOT CONFORMANT'))
        : c.yellow(c.bold(summary.code === 130 ? 'INTERRUPTED' : 'INCONCLUSIVE'))
  const reason = summary.reason === undefined ? '' : `: ${summary.reason}`
  return `${parts.join(' | ')}\n${verdict}${reason}`
}
