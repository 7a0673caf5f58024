import { certifies } from '../core/verdict.ts'
import { isComplete, type Report } from './report.ts'

const dayMs = 86_400_000
/** Validity of a certificate. */
const validDays = 90

/**
 * A badge for the endpoint of shields.io: verdict with profiles, clauses proven of all, waivers, and expiry date,
 * so that an outdated one is recognizable. An incomplete run is never green; a part of the checks has no badge.
 */
export function badgeReport(report: Report): string {
  const { summary, coverage, started, finished } = report
  const at = new Date(finished?.at ?? started.at)
  const day = (date: Date) => date.toISOString().slice(0, 10)
  const isWhole = isComplete(report)
  const words = isWhole ? summary.words.toLowerCase() : 'interrupted'
  const proven = `${coverage.proven} of ${coverage.clauses} clauses proven`
  const waivers = Object.keys(started.waived ?? {}).length
  const waived = waivers === 0 ? '' : `, ${waivers} waived`
  const isFailure = isWhole && summary.code === 1
  const good = summary.verdict === 'conformant' && waivers === 0 ? 'brightgreen' : 'green'
  const colour = isWhole && certifies(summary.verdict) ? good : isFailure ? 'red' : 'yellow'
  return `${JSON.stringify(
    {
      schemaVersion: 1,
      label: 'conformance',
      message: `${words}, ${proven}${waived}, until ${day(new Date(at.getTime() + validDays * dayMs))}`,
      color: colour,
      isError: isFailure,
      cacheSeconds: 3600,
    },
    null,
    2,
  )}\n`
}
