import type { CheckFinished } from '../runner/events.ts'
import type { Report } from './report.ts'

/** XML 1.0 has no form for most control characters, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those that XML forbids
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const escaped = (text: string): string =>
  text
    .replace(forbidden, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')

const seconds = (ms: number) => (ms / 1000).toFixed(3)

const bodyOf = (result: CheckFinished): string =>
  [
    result.title,
    `clauses: ${result.clauses.join(', ')}`,
    ...(result.twin === undefined ? [] : [`twin: ${result.twin.name}`]),
    ...(result.expected === undefined ? [] : [`expected: ${result.expected}`]),
    ...(result.observed === undefined ? [] : [`observed: ${result.observed}`]),
    ...(result.counterexample === undefined ? [] : [`counterexample: ${result.counterexample}`]),
    ...(result.curl === undefined ? [] : [result.curl]),
  ].join('\n')

const testcase = (result: CheckFinished): string => {
  const open = `    <testcase name="${escaped(result.id)}" classname="${escaped(result.clauses[0] ?? result.section)}" time="${seconds(result.ms)}"`
  const reason = escaped(result.reason ?? '')
  if (result.verdict === 'passed') return `${open}/>`
  if (result.verdict === 'failed')
    return `${open}>\n      <failure message="${reason}" type="${result.level}">${escaped(bodyOf(result)).replaceAll('&#10;', '\n')}</failure>\n    </testcase>`
  return `${open}>\n      <skipped message="${result.verdict}: ${reason}"/>\n    </testcase>`
}

/** JUnit XML: a suite a section, a case a check, failures with message, type and body. */
export const junitReport = (report: Report): string => {
  const { started, results, summary } = report
  const sections = [...new Set(results.map((r) => r.section))].sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )
  const failures = (list: readonly CheckFinished[]) =>
    list.filter((r) => r.verdict === 'failed').length
  const skipped = (list: readonly CheckFinished[]) =>
    list.filter((r) => r.verdict === 'untestable' || r.verdict === 'not-applicable').length
  const time = (list: readonly CheckFinished[]) => seconds(list.reduce((n, r) => n + r.ms, 0))
  const property = (name: string, value: string) =>
    `      <property name="${name}" value="${escaped(value)}"/>`
  const suites = sections.map((section) => {
    const list = results.filter((r) => r.section === section)
    return [
      `  <testsuite name="section ${escaped(section)}" tests="${list.length}" failures="${failures(list)}" errors="0" skipped="${skipped(list)}" time="${time(list)}" timestamp="${started.at.slice(0, 19)}">`,
      '    <properties>',
      property('seed', started.seed),
      property('suite', started.suite),
      property('target', started.gatewayUrl),
      property('complete', String(summary.code !== 130)),
      '    </properties>',
      ...list.map(testcase),
      '  </testsuite>',
    ].join('\n')
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="certification" tests="${results.length}" failures="${failures(results)}" errors="0" skipped="${skipped(results)}" time="${time(results)}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}
