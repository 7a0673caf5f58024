import type { Clause } from '../../register/clause.ts'
import { grouped } from '../groups.ts'
import type { Report } from '../report.ts'
import { escaped } from './escape.ts'

/** What is known about the checks of a clause, from runs against mutants. */
export type ClauseCoverage = Readonly<
  Record<
    string,
    { readonly checks: number; readonly mutants: number; readonly killed: number } | undefined
  >
>

type Cell = {
  readonly kind: 'refuted' | 'unchecked' | 'amber' | 'green' | 'unknown' | 'reasoned' | 'open'
  readonly mark: string
  readonly says: string
}

function cellOf(
  clause: Clause,
  coverage: ClauseCoverage | undefined,
  passed: ReadonlySet<string>,
  failed: ReadonlySet<string>,
): Cell {
  const known = coverage?.[clause.id]
  if (failed.has(clause.id)) return { kind: 'refuted', mark: '✗', says: 'a check of it failed' }
  if (clause.noCheck !== undefined)
    return { kind: 'reasoned', mark: '–', says: `no check: ${clause.noCheck}` }
  const run = passed.has(clause.id) ? 'passed in this run' : 'not passed in this run'
  const mark = passed.has(clause.id) ? '✓' : '·'
  if (clause.open) return { kind: 'open', mark, says: `open point, not judged; ${run}` }
  if (known === undefined)
    return { kind: 'unknown', mark, says: `${run}; unknown whether its checks can fail` }
  if (known.checks === 0) return { kind: 'unchecked', mark: '×', says: 'no check' }
  const kills = `${known.killed} of ${known.mutants} faulty gateways detected`
  return known.killed === 0
    ? { kind: 'amber', mark, says: `${run}; its checks never detected a faulty gateway` }
    : { kind: 'green', mark, says: `${run}; ${kills}` }
}

const legend = [
  ['green', '✓', 'passed by a check that has detected a faulty gateway'],
  ['amber', '✓', 'passed by a check that never detected one'],
  ['unchecked', '×', 'no check'],
  ['refuted', '✗', 'refuted by this run'],
  ['unknown', '✓', 'unknown whether its checks can fail'],
  ['open', '✓', 'open point: observed, not judged'],
  ['reasoned', '–', 'no check, with a written reason'],
  ['unknown', '·', 'not passed in this run'],
] as const

/** Clauses by section: what this run proved, and what is known about their checks. */
export function clauseMatrix(report: Report, coverage: ClauseCoverage | undefined): string {
  const of = (verdict: string) =>
    new Set(report.results.filter((r) => r.verdict === verdict).flatMap((r) => r.clauses))
  const [passed, failed] = [of('passed'), of('failed')]
  const rows = [...grouped(report.clauses, ({ item, section }) => item ?? section)]
  const cells = (clauses: readonly Clause[]) =>
    clauses.map((clause) => {
      const { kind, mark, says } = cellOf(clause, coverage, passed, failed)
      const title = `${clause.id} (${clause.level}): ${clause.text}\n${says}`
      return `<span class="cell ${kind}" title="${escaped(title)}" role="img">${mark}</span>`
    })
  const proven = (clauses: readonly Clause[]) =>
    clauses.filter(({ id }) => passed.has(id) && !failed.has(id)).length
  return (
    `<ul class="legend">${legend.map(([kind, mark, text]) => `<li><span class="cell ${kind}" aria-hidden="true">${mark}</span> ${text}</li>`).join('')}</ul>` +
    `<table class="matrix"><thead><tr><th scope="col">section</th><th scope="col">clauses</th><th scope="col">proven</th></tr></thead><tbody>` +
    rows
      .map(
        ([section, clauses]) =>
          `<tr><th scope="row">${escaped(section)}</th><td>${cells(clauses).join('')}</td><td>${proven(clauses)}/${clauses.length}</td></tr>`,
      )
      .join('\n') +
    '</tbody></table>'
  )
}
