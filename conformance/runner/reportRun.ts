import type { CommandWorld } from '../commands/world.ts'
import { coloursFor } from '../reports/colours.ts'
import { jsonReport } from '../reports/json.ts'
import type { Report } from '../reports/report.ts'
import { writeReports } from '../reports/reportFiles.ts'
import { terminalReport } from '../reports/terminal.ts'

export type ReportRunOptions = {
  readonly directory: string
  readonly kinds: readonly string[]
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
  readonly verbose?: boolean | undefined
}

/** The verdict and the line before it: where the eye ends. */
const footerLines = 2

/** Writes the reports of a run, and says on stdout how it went. */
export const reportRun = (
  report: Report,
  options: ReportRunOptions,
  { stdout, env }: Pick<CommandWorld, 'stdout' | 'env'>,
): void => {
  const { directory, kinds, verbose = false } = options
  const paths = writeReports(report, directory, kinds)
  if (options.json) {
    stdout.write(jsonReport(report))
    return
  }
  const colours = coloursFor(stdout, env)
  const reportPath = paths.html ?? paths.json ?? directory
  const text = terminalReport(report, { colours, reportPath, verbose })
  stdout.write(`${options.quiet ? text.split('\n').slice(-footerLines).join('\n') : text}\n`)
}
