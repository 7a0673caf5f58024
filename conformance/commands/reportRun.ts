import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import { signingKey, writeCertificate } from '../certificate/writeCertificate.ts'
import { describedChecks as checks } from '../checks/described.ts'
import { suiteCheck } from '../core/check.ts'
import type { LogLine } from '../core/logLine.ts'
import { printable } from '../core/printable.ts'
import { type Colours, coloursFor } from '../reports/colours.ts'
import { comparisonText } from '../reports/comparisonText.ts'
import { jsonReport } from '../reports/json.ts'
import type { Report } from '../reports/report.ts'
import { certificateKind, type Knowledge, reportFiles } from '../reports/reportFiles.ts'
import { terminalReport } from '../reports/terminal.ts'
import type { Gate } from './gate.ts'
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
  /** The comparison with an earlier run: printed, and written beside the reports. */
  readonly gate?: Gate | undefined
}

/** The verdict and the line before it. */
const footerLines = 2

/**
 * Writes the reports of a run from the lines of its log, and prints the result on stdout.
 * @returns the paths of what was written, by kind; `events` is the log
 */
export async function reportRun(
  report: Report,
  lines: readonly LogLine[],
  options: ReportRunOptions,
  { stdout, stderr, env, cwd }: Pick<CommandIo, 'stdout' | 'stderr' | 'env' | 'cwd'>,
): Promise<Readonly<Record<string, string>>> {
  const { directory, verbose = false, gate } = options
  const known = suiteKnowledge()
  const note = (text: string) => stderr.write(text)
  const paths = await writeRun(report, lines, { ...options, cwd, note }, known)
  const compared = gateText(gate, coloursFor(stdout, env))
  if (options.json) {
    stdout.write(jsonReport(report))
    stderr.write(compared)
    return paths
  }
  const colours = coloursFor(stdout, env)
  const reportPath = paths.html ?? paths.json ?? directory
  const text = terminalReport(report, { colours, reportPath, verbose, like: known.knowledge.like })
  const wanted = options.quiet ? text.split('\n').slice(-footerLines).join('\n') : text
  const shown = fitted(`${wanted}\n${compared}`, outputWidth(stdout, env))
  reportToGithub(report, { stdout, env, directory, summary: paths.markdown, gate }, () =>
    stdout.write(shown),
  )
  return paths
}

function gateText(gate: Gate | undefined, colours: Colours): string {
  if (gate === undefined) return ''
  const { comparison, outcome, reason } = gate
  const compared = comparison === undefined ? '' : `\n${comparisonText(comparison, colours)}`
  return `${compared}comparison ${outcome}: ${printable(reason)}\n`
}

export type WriteRunOptions = Pick<ReportRunOptions, 'directory' | 'kinds' | 'signKey' | 'gate'> & {
  readonly cwd: string
  readonly note: (text: string) => void
}

/** Writes the reports of a run, its certificate and its comparison; returns the paths by kind. */
export async function writeRun(
  report: Report,
  lines: readonly LogLine[],
  { directory, kinds, signKey, gate, cwd, note }: WriteRunOptions,
  { knowledge, suiteRecord } = suiteKnowledge(),
): Promise<Readonly<Record<string, string>>> {
  const paths: Record<string, string> = {
    events: join(directory, 'events.ndjson'),
    ...writeReports(report, directory, kinds, knowledge),
  }
  if (kinds.includes(certificateKind) && !report.summary.isPart)
    try {
      paths.certificate = await writeCertificate(report, {
        directory,
        key: signingKey(signKey, cwd),
        checks: checks.map(suiteCheck),
        lines,
        suiteRecord,
      })
    } catch (error) {
      // The run has its verdict: a failure to write the certificate does not change it.
      note(`no certificate: ${error instanceof Error ? error.message : error}\n`)
    }
  if (gate !== undefined) {
    paths.gate = join(directory, 'gate.json')
    replaceFileSync(paths.gate, `${JSON.stringify({ gateVersion: 1, ...gate }, undefined, 2)}\n`)
  }
  return paths
}

/** What only a run of all checks of the claimed profiles has. */
const certifyingFiles = [reportFiles.badge!.file, 'certificate.json', 'certificate.pub']

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
  const { isPart } = report.summary
  // Those of an earlier run in this directory do not describe this one.
  if (isPart) for (const file of certifyingFiles) rmSync(join(directory, file), { force: true })
  return Object.fromEntries(
    Object.entries(reportFiles)
      .filter(([kind]) => kinds.includes(kind) && !(isPart && kind === 'badge'))
      .map(([kind, { file, render }]) => {
        const path = join(directory, file)
        replaceFileSync(path, render(report, knowledge))
        return [kind, path]
      }),
  )
}
