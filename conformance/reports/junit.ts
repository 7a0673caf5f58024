import type { CheckFinished, PlannedCheck } from '../core/events.ts'
import { replayId } from '../core/replayId.ts'
import { failureHeadline, failureLines } from './failureLines.ts'
import { clausesText, profileRows } from './profileText.ts'
import { readableDiff, readableReason, readableTitle } from './readableText.ts'
import { bySection, isComplete, type Report } from './report.ts'
import { diffText } from './structuralDiff.ts'

/** Maximum characters of one text; viewers load a file whole. */
const longest = 20_000

/** What XML 1.0 cannot represent, even escaped, or discourages: most control characters, lone surrogates. */
const illegal = /[^\t\n -~\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Illegal characters are shown as their codes. */
function legal(text: string): string {
  const out = text
    .slice(0, longest)
    .replace(illegal, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return text.length > longest ? `${out}… (${text.length} characters)` : out
}

/** Most texts: one search is enough for them. */
const plain = /^[ !#-%'-;=?-~]*$/

/** For element content. `>` is escaped too: `]]>` is forbidden there. */
const text = (value: string): string =>
  plain.test(value) && value.length <= longest ? value : escapedText(value)

const escapedText = (value: string): string =>
  legal(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** For an attribute: parsers turn unescaped line breaks into spaces. */
const attribute = (value: string): string =>
  text(value).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')

const seconds = (ms: number) => (ms / 1000).toFixed(3)

const bodyOf = (result: CheckFinished, seed: string): string =>
  [
    readableTitle(result.title),
    ...failureLines(result),
    ...(result.twin === undefined
      ? []
      : [`twin: ${result.twin.name}: ${result.twin.accepted ? 'accepted' : 'REFUSED'}`]),
    ...(result.expected === undefined || result.observed === undefined
      ? []
      : [
          'difference (- expected, + observed):',
          ...diffText(readableDiff(result.expected, result.observed)),
        ]),
    `replay: polgate replay ${replayId(result.id, seed)}`,
    ...(result.curl === undefined ? [] : [result.curl]),
  ].join('\n')

const open = (check: PlannedCheck, ms: number): string =>
  `    <testcase name="${attribute(check.id)}" classname="${attribute(check.own?.file ?? check.clauses[0] ?? check.section)}" time="${seconds(ms)}"`

function testcase(result: CheckFinished, seed: string): string {
  const begin = open(result, result.ms)
  const reason = attribute(
    result.verdict === 'failed' ? failureHeadline(result) : readableReason(result.reason),
  )
  const observed =
    result.observations === undefined
      ? ''
      : `\n      <system-out>${text(result.observations.map((line) => `observed: ${readableReason(line)}`).join('\n'))}</system-out>`
  if (result.verdict === 'failed')
    return `${begin}>\n      <failure message="${reason}" type="${result.level}">${text(bodyOf(result, seed))}</failure>${observed}\n    </testcase>`
  if (result.verdict !== 'passed')
    return `${begin}>\n      <skipped message="${result.verdict}: ${reason}"/>${observed}\n    </testcase>`
  return observed === '' ? `${begin}/>` : `${begin}>${observed}\n    </testcase>`
}

/** A planned check without a result: an error, which no viewer takes for a pass. */
const unreported = (check: PlannedCheck): string =>
  `${open(check, 0)}>\n      <error message="the check did not report" type="incomplete">${text(check.title)}</error>\n    </testcase>`

/**
 * JUnit XML: a suite per section, a case per check with its clause as class, failures with message,
 * level as type, and the difference as text. `schema/junit.xsd` is the format.
 */
export function junitReport(report: Report): string {
  const { started, results } = report
  const planned = [...results, ...report.unreported]
  const sections = [...new Set(planned.map((r) => r.section))].sort(bySection)
  const counts = (list: readonly CheckFinished[], missing: number) => {
    const skipped = list.filter((r) => r.verdict !== 'passed' && r.verdict !== 'failed').length
    const failures = list.filter((r) => r.verdict === 'failed').length
    const time = seconds(list.reduce((n, r) => n + r.ms, 0))
    return `tests="${list.length + missing}" failures="${failures}" errors="${missing}" skipped="${skipped}" time="${time}"`
  }
  const property = (name: string, value: string) =>
    `      <property name="${attribute(name)}" value="${attribute(value)}"/>`
  const suites = sections.map((section) => {
    const list = results.filter((r) => r.section === section)
    const missing = report.unreported.filter((r) => r.section === section)
    return [
      `  <testsuite name="section ${attribute(section)}" ${counts(list, missing.length)} timestamp="${attribute(started.at.slice(0, 19))}">`,
      '    <properties>',
      property('seed', started.seed),
      property('suite', started.suite),
      property('target', started.gatewayUrl),
      property('complete', String(isComplete(report))),
      property('verdict', report.summary.words),
      property('clauses', clausesText(report)),
      ...profileRows(report).map(([label, text]) => property(label.toLowerCase(), text)),
      '    </properties>',
      ...list.map((result) => testcase(result, started.seed)),
      ...missing.map(unreported),
      '  </testsuite>',
    ].join('\n')
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="certification" ${counts(results, report.unreported.length)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}
