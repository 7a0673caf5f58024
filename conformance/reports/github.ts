import { profiles } from '../register/profiles.ts'
import type { FailureGroup } from './failureGroups.ts'
import { failureLines } from './failureLines.ts'
import { outageHeadline, outageRows } from './outageText.ts'
import type { Report } from './report.ts'

/** GitHub shows this many errors per step and silently drops the rest. */
const mostErrors = 10

const escapeData = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapeProperty = (text: string) =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

const annotation = (kind: 'error' | 'warning', title: string, text: string) =>
  `::${kind} title=${escapeProperty(title)}::${escapeData(text)}`

const mostNames = 20

const some = (names: readonly string[]) =>
  names.slice(0, mostNames).join(', ') +
  (names.length > mostNames ? ` and ${names.length - mostNames} more` : '')

function groupAnnotation(kind: 'error' | 'warning', { results }: FailureGroup): string {
  const [first, ...others] = results
  const also = others.length === 0 ? '' : `\nthe same cause: ${some(others.map(({ id }) => id))}`
  const title = others.length === 0 ? first.id : `${first.id} and ${others.length} more`
  return annotation(kind, title, `${failureLines(first).join('\n')}${also}`)
}

/**
 * Annotations for a GitHub workflow, one for each cause: the failures that decide first, at most ten,
 * the last one giving the number of the rest. Every line starts with a workflow command.
 */
export function githubAnnotations(report: Report): readonly string[] {
  const { groups, summary, started, outages } = report
  const decides = ({ results }: FailureGroup) => results.some(({ level }) => level === 'must')
  const lines = [
    ...outages.map((outage) =>
      annotation(
        'error',
        'outage',
        [
          outageHeadline(outage, started),
          ...outageRows(outage).map(({ label, text }) => `${label} ${text}`),
        ].join('\n'),
      ),
    ),
    ...groups.filter(decides).map((each) => groupAnnotation('error', each)),
    ...groups.filter((each) => !decides(each)).map((each) => groupAnnotation('warning', each)),
  ]
  const shown = lines.length > mostErrors ? lines.slice(0, mostErrors - 1) : lines
  const rest = lines.length - shown.length
  return [
    ...shown,
    ...(rest > 0 ? [annotation('error', `${rest} more`, 'see the summary of the job')] : []),
    ...(groups.length === 0 && summary.reason !== undefined
      ? [annotation(summary.code === 0 ? 'warning' : 'error', 'verdict', summary.reason)]
      : []),
  ]
}

/** What a comparison with an earlier run came to. */
type Compared = { readonly outcome: string; readonly code: number; readonly reason: string }

/** A comparison that did not pass, or that did not take place, is never only in the log. */
export const gateAnnotations = (gate: Compared | undefined): readonly string[] =>
  gate === undefined || gate.outcome === 'passed'
    ? []
    : [annotation(gate.code === 0 ? 'warning' : 'error', 'comparison', gate.reason)]

/** Outputs of a workflow step, as lines of the file `GITHUB_OUTPUT`. */
export function githubOutputs(
  { summary, started, coverage }: Report,
  directory: string,
  gate?: Compared,
): readonly string[] {
  const provable = summary.total - summary.untestable - summary.notApplicable
  return Object.entries({
    'exit-code': gate?.code ?? summary.code,
    verdict: summary.words,
    profiles: summary.profiles.flatMap(({ profile, holds }) => (holds ? [profile] : [])).join(','),
    claimed: (started.profiles ?? profiles).join(','),
    'clauses-proven': coverage.proven,
    clauses: coverage.clauses,
    waived: JSON.stringify(started.waived ?? {}),
    passed: summary.passed,
    failed: summary.failed.must + summary.failed.should + summary.failed.may,
    untestable: summary.untestable,
    provable,
    total: summary.total,
    seed: started.seed,
    'report-dir': directory,
    gate: gate?.outcome ?? 'not-compared',
  }).map(([name, value]) => `${name}=${value}`)
}
