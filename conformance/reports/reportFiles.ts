import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CannotRun } from '../runner/conformanceError.ts'
import { nearest } from '../runner/select.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import type { Report } from './report.ts'

type ReportFile = { readonly file: string; readonly render: (report: Report) => string }

/** What is written beside the event log, by the name that `--report` takes. */
export const reportFiles: Readonly<Record<string, ReportFile>> = {
  junit: { file: 'junit.xml', render: junitReport },
  json: { file: 'report.json', render: jsonReport },
}

/** The kinds that are asked for; all where none is. Throws `CannotRun` for one that there is not. */
export const reportKinds = (asked: readonly string[] | undefined): readonly string[] => {
  const known = Object.keys(reportFiles)
  for (const kind of asked ?? [])
    if (!Object.hasOwn(reportFiles, kind))
      throw new CannotRun(
        `there is no report '${kind}'`,
        `Did you mean '${nearest(kind, known)}'? There are ${known.join(', ')}; the event log is always written.`,
      )
  return asked ?? known
}

/** Writes reports of one run into a directory; the paths, by kind. */
export const writeReports = (
  report: Report,
  directory: string,
  kinds: readonly string[],
): Readonly<Record<string, string>> => {
  mkdirSync(directory, { recursive: true })
  return Object.fromEntries(
    kinds.map((kind) => {
      const { file, render } = reportFiles[kind]!
      const path = join(directory, file)
      writeFileSync(path, render(report))
      return [kind, path]
    }),
  )
}
