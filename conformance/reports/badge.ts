import { isComplete, type Report, verdictWords } from './report.ts'

const dayMs = 86_400_000
/** Validity of a certificate. */
const validDays = 90

/**
 * A badge for the endpoint of shields.io: verdict, score, and expiry date, so that an outdated one
 * is recognizable. An incomplete run is never green.
 */
export function badgeReport(report: Report): string {
  const { summary, score, started, finished } = report
  const at = new Date(finished?.at ?? started.at)
  const day = (date: Date) => date.toISOString().slice(0, 10)
  const words = isComplete(report) ? verdictWords(summary).toLowerCase() : 'interrupted'
  const proven = `${score.proven}/${score.provable}`
  const partly = score.provable < score.planned ? ` of ${score.planned}` : ''
  const colours: Readonly<Record<string, string>> = {
    conformant: 'brightgreen',
    'not conformant': 'red',
    'own checks failed': 'red',
  }
  const colour = colours[words] ?? 'yellow'
  return `${JSON.stringify(
    {
      schemaVersion: 1,
      label: 'conformance',
      message: `${words} ${proven}${partly} until ${day(new Date(at.getTime() + validDays * dayMs))}`,
      color: colour === 'brightgreen' && partly !== '' ? 'green' : colour,
      isError: colour === 'red',
      cacheSeconds: 3600,
    },
    null,
    2,
  )}\n`
}
