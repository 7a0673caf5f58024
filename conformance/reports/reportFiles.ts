import { CannotRun } from '../core/conformanceError.ts'
import { nearest } from '../core/select.ts'
import { badgeReport } from './badge.ts'
import { ctrfReport } from './ctrf.ts'
import { type HtmlOptions, htmlReport } from './html/page.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import type { Report } from './report.ts'

/** What is known beside the log: of the suite, never of the target. */
export type Knowledge = HtmlOptions

type ReportFile = {
  readonly file: string
  readonly render: (report: Report, knowledge: Knowledge) => string
}

/** What is written beside the event log, by the name that `--report` takes. */
export const reportFiles: Readonly<Record<string, ReportFile>> = {
  junit: { file: 'junit.xml', render: junitReport },
  json: { file: 'report.json', render: jsonReport },
  ctrf: { file: 'ctrf.json', render: ctrfReport },
  html: { file: 'report.html', render: htmlReport },
  markdown: { file: 'summary.md', render: (report, { like }) => markdownReport(report, like) },
  badge: { file: 'badge.json', render: badgeReport },
}

/** Written by `certificate/`: it is signed, and over the file of the log. */
export const certificateKind = 'certificate'

/** The kinds that are asked for; all where none is. Throws `CannotRun` for one that there is not. */
export const reportKinds = (asked: readonly string[] | undefined): readonly string[] => {
  const known = [...Object.keys(reportFiles), certificateKind]
  for (const kind of asked ?? [])
    if (!known.includes(kind))
      throw new CannotRun(
        `there is no report '${kind}'`,
        `Did you mean '${nearest(kind, known)}'? There are ${known.join(', ')}; the event log is always written.`,
      )
  return asked ?? known
}
