import { type ExitCode, exitCode } from '../core/verdict.ts'
import { coloursFor } from '../reports/colours.ts'
import { compareReports, isWorse } from '../reports/comparison.ts'
import { comparisonMarkdown, comparisonText } from '../reports/comparisonText.ts'
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

const sideOf = (path: string, { started, score, finished }: Report) => ({
  path,
  target: started.gatewayUrl,
  suite: started.suite,
  seed: started.seed,
  startedAt: started.at,
  complete: finished !== undefined && !finished.interrupted,
  score,
})

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
  } else if (options.markdown) stdout.write(comparisonMarkdown(comparison))
  else stdout.write(comparisonText(comparison, coloursFor(stdout, env)))
  return worse ? exitCode.notConformant : exitCode.conformant
}
