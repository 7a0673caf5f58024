import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import { signingKey, writeCertificate } from '../certificate/writeCertificate.ts'
import { describedChecks as checks } from '../checks/described.ts'
import { planned } from '../core/check.ts'
import { coloursFor } from '../reports/colours.ts'
import { jsonReport } from '../reports/json.ts'
import type { Report } from '../reports/report.ts'
import { certificateKind, type Knowledge, reportFiles } from '../reports/reportFiles.ts'
import { terminalReport } from '../reports/terminal.ts'
import { reportToGithub } from './reportToGithub.ts'
import { suiteKnowledge } from './suiteKnowledge.ts'
import type { CommandIo } from './world.ts'

export type ReportRunOptions = {
  readonly directory: string
  readonly kinds: readonly string[]
  /** File of the private key that signs the certificate; by default that of this machine. */
  readonly signKey?: string | undefined
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
  readonly verbose?: boolean | undefined
}

/** The verdict and the line before it. */
const footerLines = 2

/** Writes the reports of a run from the lines of its log, and prints the result on stdout. */
export async function reportRun(
  report: Report,
  lines: readonly string[],
  options: ReportRunOptions,
  { stdout, stderr, env, cwd }: Pick<CommandIo, 'stdout' | 'stderr' | 'env' | 'cwd'>,
): Promise<void> {
  const { directory, kinds, verbose = false } = options
  const { knowledge, suiteRecord } = suiteKnowledge()
  const paths = writeReports(report, directory, kinds, knowledge)
  if (kinds.includes(certificateKind))
    try {
      await writeCertificate(report, {
        directory,
        key: signingKey(options.signKey, cwd),
        checks: checks.map(planned),
        lines,
        suiteRecord,
      })
    } catch (error) {
      // The run has its verdict: a failure to write the certificate does not change it.
      stderr.write(`no certificate: ${error instanceof Error ? error.message : error}\n`)
    }
  if (options.json) {
    stdout.write(jsonReport(report))
    return
  }
  const colours = coloursFor(stdout, env)
  const reportPath = paths.html ?? paths.json ?? directory
  const text = terminalReport(report, { colours, reportPath, verbose, like: knowledge.like })
  const wanted = options.quiet ? text.split('\n').slice(-footerLines).join('\n') : text
  const shown = fitted(wanted, outputWidth(stdout, env))
  reportToGithub(report, { stdout, env, directory, summary: paths.markdown }, () =>
    stdout.write(`${shown}\n`),
  )
}

/** Breaks long lines, except a command that is to be copied: a terminal shows it whole. */
const fitted = (text: string, width: number | undefined): string =>
  text
    .split('\n')
    .map((line) => (/^ {2}Curl /.test(line) ? line : wrapText(line, width)))
    .join('\n')

/** Writes reports of one run into a directory; returns the paths by kind. */
function writeReports(
  report: Report,
  directory: string,
  kinds: readonly string[],
  knowledge: Knowledge = {},
): Readonly<Record<string, string>> {
  mkdirSync(directory, { recursive: true })
  return Object.fromEntries(
    Object.entries(reportFiles)
      .filter(([kind]) => kinds.includes(kind))
      .map(([kind, { file, render }]) => {
        const path = join(directory, file)
        replaceFileSync(path, render(report, knowledge))
        return [kind, path]
      }),
  )
}
