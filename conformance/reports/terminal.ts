import { counted } from 'polgate-lib/text/counted.ts'
import type { CheckFinished } from '../core/events.ts'
import { printable } from '../core/printable.ts'
import { replayId } from '../core/replayId.ts'
import { certifies } from '../core/verdict.ts'
import type { Colours } from './colours.ts'
import type { FailureGroup } from './failureGroups.ts'
import { grouped } from './groups.ts'
import { highLoadText } from './loadText.ts'
import { normalised } from './normalised.ts'
import { outageHeadline, outageRows } from './outageText.ts'
import { ownText } from './ownText.ts'
import { clausesText, profileRows } from './profileText.ts'
import { readableDiff, readableReason, readableTitle, readableValue } from './readableText.ts'
import { type Coverage, isComplete, matrixText, type Report } from './report.ts'
import type { FindSimilarMutant, Similarity } from './similarity.ts'
import { diffText } from './structuralDiff.ts'

export type TerminalOptions = {
  readonly colours: Colours
  /** Path of the written reports, for the last line. */
  readonly reportPath?: string | undefined
  /** Print the observations of open points too. */
  readonly verbose?: boolean
  /** Finds the known fault that a failure resembles. */
  readonly like?: FindSimilarMutant | undefined
}

const row = (label: string, text: string) => `  ${label.padEnd(9)}${printable(text)}`

/** A row with the verdict at the end, if it fits one line. */
function judged(label: string, text: string, verdict: string) {
  const line = row(label, text)
  return line.length < judgedAt ? `${line.padEnd(judgedAt)}${verdict}` : `${line}  ${verdict}`
}
const judgedAt = 70

function differences({ expected, observed }: CheckFinished, c: Colours): readonly string[] {
  if (expected === undefined || observed === undefined) return []
  const colour = { '-': c.green, '+': c.red, ' ': c.dim }
  const lines = readableDiff(expected, observed)
  const texts = diffText(lines)
  const marks = { '-': 'expected', '+': 'observed', ' ': '' }
  return lines.map(({ sign }, i) => {
    const first = sign !== ' ' && lines.findIndex((line) => line.sign === sign) === i
    return row(first ? marks[sign] : '', '').concat(colour[sign](printable(texts[i] ?? '')))
  })
}

const likeRow = ({ id, fault, match }: Similarity) =>
  row('Like', `mutant ${id} "${fault}" (fingerprint match ${match.toFixed(2)})`)

/** One failed check, with what is needed to reproduce it. */
function failureLines(
  result: CheckFinished,
  report: Report,
  { colours: c, like }: TerminalOptions,
): readonly string[] {
  const { seed } = report.started
  const textOf = (id: string) => report.clauses.find((clause) => clause.id === id)?.text ?? ''
  const similarity = like?.([result])
  const { twin } = result
  return [
    `${c.red('x')} ${result.section} ${c.bold(printable(result.id))}  ${result.level.toUpperCase()}  ${(result.ms / 1000).toFixed(2)}s`,
    row('Title', readableTitle(result.title)),
    ...(result.call === undefined ? [] : [row('Call', readableValue(result.call))]),
    ...(result.sent === undefined ? [] : [row('Sent', readableReason(result.sent))]),
    ...result.clauses.map((id, i) => row(i === 0 ? 'Clause' : '', `${id}: ${textOf(id)}`)),
    ...(twin === undefined
      ? []
      : [judged('Twin', twin.name, twin.accepted ? c.green('ok') : c.yellow('REFUSED'))]),
    judged('Fault', readableReason(result.reason), c.red('WRONG')),
    ...differences(result, c),
    // A sequence of steps gets a line for each.
    ...(result.counterexample?.split('\n') ?? []).map((line, i) =>
      row(i === 0 ? 'Example' : '', readableReason(line)),
    ),
    ...(similarity === undefined ? [] : [likeRow(similarity)]),
    row('Replay', `polgate replay ${replayId(result.id, seed)}`),
    ...(result.curl === undefined ? [] : [row('Curl', result.curl)]),
    row('Explain', `polgate explain ${result.id}`),
    '',
  ]
}

/** One cause of many failures: the first of them in full, the others by name. */
function groupLines(
  { cause, results }: FailureGroup,
  report: Report,
  options: TerminalOptions,
): readonly string[] {
  const [first, ...others] = results
  const lines = failureLines(first, report, options)
  if (others.length === 0) return lines
  const { colours: c } = options
  return [
    c.red(
      c.bold(
        `${counted(results.length, 'check')} failed for the same cause: ${printable(readableReason(cause))}`,
      ),
    ),
    ...lines.slice(0, -1),
    ...wrapped(others.map(({ id }) => id)).map((line, i) => row(i === 0 ? 'Also' : '', line)),
    '',
  ]
}

/** Names in lines that fit a terminal. */
function wrapped(names: readonly string[]): readonly string[] {
  const lines: string[] = []
  for (const name of names) {
    const last = lines.at(-1)
    if (last === undefined || last.length + name.length > widestList) lines.push(name)
    else lines[lines.length - 1] = `${last}, ${name}`
  }
  return lines
}
const widestList = 100

const outageLines = ({ started, outages }: Report, c: Colours): readonly string[] =>
  outages.flatMap((outage) => [
    c.yellow(c.bold(`! ${printable(outageHeadline(outage, started))}`)),
    ...outageRows(outage).map(({ label, text }) => row(label, text)),
    ...wrapped(outage.checks).map((line, i) => row(i === 0 ? 'Checks' : '', line)),
    '',
  ])

/** Proven clauses per section; coloured if a check could still prove more. */
function sectionLines(sections: Coverage['sections'], c: Colours): readonly string[] {
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

type Reasoned = { readonly id: string; readonly reason?: string | undefined }

/**
 * Groups checks with the same reason in one line, so that a missing key is reported once. Reasons that
 * differ only in values of the check are the same.
 */
function groupedReasons(results: readonly Reasoned[]): readonly string[] {
  const reasonOf = ({ reason }: Reasoned) => reason ?? 'no reason given'
  const groups = grouped(results, (each) => normalised(reasonOf(each), each.id))
  return [...groups.values()].map((some) => {
    const reason = reasonOf(some[0]!)
    const ids = some.map(({ id }) => printable(id))
    const shown = ids.slice(0, 4).join(', ')
    const rest = ids.length > 4 ? ` and ${ids.length - 4} more` : ''
    return `  ${ids.length} x ${printable(reason)}: ${shown}${rest}`
  })
}

/** The result as text: failures, what could not be tested, and the footer with the verdict. */
export function terminalReport(report: Report, options: TerminalOptions): string {
  const { colours: c } = options
  const { results, coverage, started, unreported, groups } = report
  const load = highLoadText(report.finished?.load)
  const own = ownText(report)
  const of = (verdict: string) => results.filter((r) => r.verdict === verdict)
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [c.bold(title), ...lines, '']
  const observed = results.flatMap((r) =>
    (r.observations ?? []).map(
      (text) => `  ${r.clauses[0]?.padEnd(7)} ${printable(readableReason(text))}`,
    ),
  )
  return [
    ...outageLines(report, c),
    ...groups.flatMap((group) => groupLines(group, report, options)),
    ...section(
      'Untestable',
      groupedReasons(of('untestable').filter(({ outage }) => outage === undefined)),
    ),
    ...section('Not applicable', groupedReasons(of('not-applicable'))),
    ...section(
      'Without a result',
      groupedReasons(unreported.map(({ id }) => ({ id, reason: 'did not run' }))),
    ),
    ...(options.verbose ? section('Observed on open points (never a verdict)', observed) : []),
    ...section('Clauses proven, of those with a check', sectionLines(coverage.sections, c)),
    ...section(
      'Profiles',
      profileRows(report).map(([label, text]) => `  ${label.padEnd(21)} ${printable(text)}`),
    ),
    `clauses  ${clausesText(report)}` +
      (observed.length > 0 ? ` | ${counted(observed.length, 'observation')} on open points` : ''),
    ...(report.matrix === undefined ? [] : [`matrix   ${matrixText(report.matrix)}`]),
    ...(own === undefined ? [] : [`own      ${printable(own)}`]),
    `target   ${printable(started.gatewayUrl)}`,
    ...(load === undefined ? [] : [c.yellow(`load     ${load}`)]),
    ...(isComplete(report) ? [] : [c.yellow('INCOMPLETE: the run was interrupted')]),
    footerLine(report, c, options.reportPath),
  ].join('\n')
}

function footerLine(report: Report, c: Colours, reportPath: string | undefined): string {
  const { summary, started, score } = report
  const { must, should, may } = summary.failed
  const failed = must + should + may
  const passed = `${summary.passed} passed`
  const parts = [
    failed === 0
      ? c.green(passed)
      : c.red(
          `FAILED ${[`${must} must`, ...(should ? [`${should} should`] : []), ...(may ? [`${may} may`] : [])].join(', ')}`,
        ),
    `${summary.untestable} untestable`,
    ...(summary.notApplicable > 0 ? [`${summary.notApplicable} not applicable`] : []),
    ...(failed === 0 ? [] : [passed]),
    `provable max ${score.provable} of ${score.planned}`,
    `score ${score.proven} of ${score.provable}`,
    `seed ${started.seed}`,
    ...(reportPath === undefined ? [] : [`report ${reportPath}`]),
  ]
  const colour = certifies(summary.verdict) ? c.green : summary.code === 1 ? c.red : c.yellow
  const reason = summary.reason === undefined ? '' : `: ${summary.reason}`
  return `${parts.join(' | ')}\n${colour(c.bold(summary.words))}${reason}`
}
