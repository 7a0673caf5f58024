import { relative } from 'node:path'
import { rowRanges } from 'polgate-rego/report/coverage.ts'
import { fullName } from 'polgate-rego/test/runTests.ts'
import { colours } from '../../colours.ts'
import { printable } from '../notes.ts'
import { isFailOpen } from './failOpen.ts'
import type { PackageReport } from './packageTest.ts'

const maxLine = 500

/** The report for a terminal: what failed, then warnings, then one line for each part. */
export function textReport(report: PackageReport, { verbose }: { readonly verbose: boolean }) {
  const { green, red, yellow, dim } = colours(process.stdout)
  const { rego, cases, failOpen, coverage, warnings, problems, passed } = report
  const word = (ok: boolean) => (ok ? green('PASS') : red('FAIL'))
  const lines: string[] = []
  for (const problem of problems) lines.push(`${word(false)}  ${shown(problem)}`)
  for (const result of rego) {
    const ok = result.status === 'pass' || result.status === 'skip'
    if (ok && !verbose) continue
    lines.push(`${result.status === 'skip' ? yellow('SKIP') : word(ok)}  ${fullName(result.test)}`)
    if (result.error !== undefined) lines.push(`      ${shown(result.error.text)}`)
    lines.push(...result.explanation)
  }
  for (const { case: each, outcome, problem } of cases) {
    if (problem === undefined && !verbose) continue
    lines.push(
      `${word(problem === undefined)}  ${shown(each.name)}${verbose ? decisionOf(outcome) : ''}`,
    )
    if (problem !== undefined) {
      lines.push(`      ${shown(problem)}`, dim(`      ${placeOf(each.place)}`))
      if (outcome.evaluation !== undefined)
        lines.push(dim(`      wasm ${shown(outcome.evaluation.wasm)}`))
    }
    for (const asked of outcome.unanswered)
      lines.push(yellow(`      no mock answers ${shown(asked)}`))
  }
  for (const result of failOpen) {
    const open = isFailOpen(result)
    if (!open && !verbose) continue
    const { name, host, failure, outcome } = result
    lines.push(`${word(!open)}  ${shown(`${name}: ${host} ${failure}`)}${decisionOf(outcome)}`)
    if (!open) continue
    lines.push('      the policy allows although it could not be checked: it fails open')
    lines.push(dim(`      wasm ${shown(outcome.evaluation?.wasm ?? '{}')}`))
  }
  for (const { row, text, held } of coverage.denyRules)
    if (!held) lines.push(`${yellow('NOTE')}  no case is denied by line ${row}: ${shown(text)}`)
  for (const { id, place, message, help } of warnings)
    lines.push(
      `${yellow('WARN')}  ${placeOf(place)} ${shown(message)} (${id})`,
      dim(`      ${shown(help)}`),
    )
  if (lines.length > 0) lines.push('-'.repeat(80))
  const held = coverage.denyRules.filter((rule) => rule.held).length
  const open = failOpen.filter(isFailOpen).length
  const rows =
    coverage.notCovered.length === 0 ? '' : `, not lines ${rowRanges(coverage.notCovered)}`
  const skipped = rego.filter(({ status }) => status === 'skip').length
  const ok = rego.filter(({ status }) => status === 'pass').length
  const table = cases.filter(({ problem }) => problem === undefined).length
  return [
    ...lines,
    `rego tests      ${ok}/${rego.length - skipped} passed`,
    `decision table  ${table}/${cases.length} as expected, ${held}/${coverage.denyRules.length} deny rules`,
    `failing hosts   ${open === 0 ? 'none' : open} of ${failOpen.length} allowed`,
    `coverage        ${coverage.percent} %${rows}`,
    word(passed),
  ]
}

const decisionOf = ({ decision, reasons, error }: PackageReport['cases'][number]['outcome']) =>
  shown(
    ` → ${decision}${decision === 'fails' ? `: ${error}` : reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`,
  )

/** Relative to the working directory, if that is shorter. */
function placeOf(place: string): string {
  const short = relative(process.cwd(), place)
  return shown(short.length < place.length ? short : place)
}

/** Text of a package on one line: its control characters do not reach the terminal. */
function shown(text: string): string {
  const line = printable(text).replaceAll('\n', ' ')
  return line.length > maxLine ? `${line.slice(0, maxLine)}...` : line
}
