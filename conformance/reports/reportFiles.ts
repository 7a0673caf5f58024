import { CannotRun } from '../core/conformanceError.ts'
import { nearest } from '../core/select.ts'
import { badgeReport } from './badge.ts'
import { ctrfReport } from './ctrf.ts'
import { type HtmlOptions, htmlPieces } from './html/page.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import type { Report } from './report.ts'
import { sarifReport } from './sarif.ts'

/** Facts about the suite, not about the target, added to the reports. */
export type Knowledge = HtmlOptions

type ReportFile = {
  readonly file: string
  readonly render: (
    report: Report,
    knowledge: Knowledge,
  ) => string | readonly (string | Uint8Array)[]
}

/** The files written beside the event log, by their `--report` names. */
export const reportFiles: Readonly<Record<string, ReportFile>> = {
  junit: { file: 'junit.xml', render: junitReport },
  json: { file: 'report.json', render: jsonReport },
  ctrf: { file: 'ctrf.json', render: ctrfReport },
  sarif: { file: 'report.sarif', render: sarifReport },
  html: { file: 'report.html', render: htmlPieces },
  markdown: { file: 'summary.md', render: (report, { like }) => markdownReport(report, like) },
  badge: { file: 'badge.json', render: badgeReport },
}

/** Written by `certificate/`: it is signed, and covers the file of the log. */
export const certificateKind = 'certificate'

/** The requested kinds; all by default. Throws `CannotRun` for an unknown one. */
export function reportKinds(asked: readonly string[] | undefined): readonly string[] {
  const known = [...Object.keys(reportFiles), certificateKind]
  for (const kind of asked ?? [])
    if (!known.includes(kind))
      throw new CannotRun(
        `unknown report '${kind}'`,
        `Did you mean '${nearest(kind, known)}'? Use one of ${known.join(', ')}; the event log is always written.`,
      )
  return asked ?? known
}
