import { printable } from '../core/printable.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { coloursFor } from '../reports/colours.ts'
import { compareReports, isWorse } from '../reports/comparison.ts'
import { comparisonMarkdown, comparisonText } from '../reports/comparisonText.ts'
import { plain } from '../reports/markdown.ts'
import { loadEvents } from '../reports/readEvents.ts'
import { type Report, reportOf } from '../reports/report.ts'
import type { CommandIo } from './world.ts'

export type CompareOptions = {
  /** Event logs, or directories that contain one. */
  readonly before: string
  readonly after: string
  readonly json?: boolean | undefined
  readonly markdown?: boolean | undefined
}

const sideOf = (path: string, { started, score, finished, summary, coverage }: Report) => ({
  path,
  target: started.gatewayUrl,
  suite: started.suite,
  seed: started.seed,
  startedAt: started.at,
  complete: finished !== undefined && !finished.interrupted,
  verdict: summary.words,
  profiles: summary.profiles.flatMap(({ profile, holds }) => (holds ? [profile] : [])),
  clauses: { proven: coverage.proven, of: coverage.clauses },
  waived: started.waived ?? {},
  score,
})

/** Verdict with its profiles, clauses proven of all, and waivers with their reasons. */
function sideText({ summary, coverage, started }: Report): string {
  const waived = Object.entries(started.waived ?? {}).map(
    ([name, why]) => `waived ${name} (${why})`,
  )
  const holding = summary.profiles.flatMap(({ profile, holds }) => (holds ? [profile] : []))
  const profiles = holding.length === 0 ? 'no profile holds' : `profiles ${holding.join(', ')}`
  const clauses = `${coverage.proven} of ${coverage.clauses} clauses proven`
  return [summary.words, profiles, clauses, ...waived].join('; ')
}

/**
 * Compares two runs. Exit code 1 if the second has new failures or proves less: a check that passed
 * and is no longer tested counts as lost.
 *
 * @throws CannotRun
 */
export async function compare(options: CompareOptions, world: CommandIo): Promise<ExitCode> {
  const { before, after } = options
  const { stdout, env } = world
  const [a, b] = [before, after].map((path) => reportOf(loadEvents(path).events)) as [
    Report,
    Report,
  ]
  const comparison = compareReports(a, b)
  const worse = isWorse(comparison)
  if (options.json) {
    const sides = { before: sideOf(before, a), after: sideOf(after, b) }
    stdout.write(
      `${JSON.stringify({ comparisonVersion: 1, worse, ...sides, ...comparison }, null, 2)}\n`,
    )
  } else if (options.markdown) {
    const sides = [`- before: ${plain(sideText(a))}`, `- after: ${plain(sideText(b))}`]
    stdout.write(`${comparisonMarkdown(comparison)}\n${sides.join('\n')}\n`)
  } else {
    const sides = [`before   ${printable(sideText(a))}`, `after    ${printable(sideText(b))}`]
    stdout.write(`${sides.join('\n')}\n${comparisonText(comparison, coloursFor(stdout, env))}`)
  }
  return worse ? exitCode.notConformant : exitCode.conformant
}
