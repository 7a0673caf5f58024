import { errorText } from 'polgate-lib/errors/errorText.ts'
import { writeOutput } from 'polgate-lib/files/writeOutput.ts'
import { RegoError } from 'polgate-rego/errors.ts'
import { fullName } from 'polgate-rego/test/runTests.ts'
import { colours } from '../../colours.ts'
import { CommandError } from '../../commandDefinition.ts'
import { untilInterrupted, watchFiles } from '../../rego/watch.ts'
import { note } from '../notes.ts'
import { isFailOpen } from './failOpen.ts'
import { filesToWatch } from './filesToWatch.ts'
import { junitReport } from './junitReport.ts'
import { type PackageReport, testPackage } from './packageTest.ts'
import { textReport } from './textReport.ts'

export type TestPolicyOptions = {
  readonly verbose?: boolean
  readonly json?: boolean
  readonly junit?: string
  readonly threshold?: number
  readonly watch?: boolean
}

/** `polgate policy test`: sets exit code 0 if everything passed, 1 if not, 2 if it could not run. */
export async function testPolicy(directory: string, options: TestPolicyOptions): Promise<void> {
  if (options.watch !== true) {
    await testOnce(directory, options)
    return
  }
  if (options.json === true)
    throw new CommandError('--watch and --json exclude each other', {
      hint: 'Leave --watch out for one result in JSON.',
    })
  const { dim } = colours(process.stderr)
  await watchFiles(async () => {
    const files = await testOnce(directory, options).catch((error) => {
      // A partly written or missing file is read again when it changes.
      if (!(error instanceof CommandError)) throw error
      console.error(errorText(error))
      return undefined
    })
    console.error(dim('waiting for changes, Ctrl-C to stop'))
    return files ?? (await filesToWatch(directory))
  }, untilInterrupted())
  process.exitCode = 0
}

async function testOnce(
  directory: string,
  { threshold = 0, junit, json, verbose = false }: TestPolicyOptions,
): Promise<readonly string[]> {
  process.exitCode = 0
  const report = await testPackage(directory, { threshold, note }).catch((error) => {
    if (!(error instanceof RegoError)) throw error
    throw new CommandError(error.text, {
      hint: 'polgate rego check shows all errors.',
      cause: error,
    })
  })
  if (junit !== undefined) {
    await writeOutput(junit, junitReport(report)).catch((cause: Error) => {
      throw new CommandError(`${junit} cannot be written`, {
        hint: 'Check that its directory exists and is writable.',
        cause,
      })
    })
  }
  if (json === true) console.log(JSON.stringify(jsonReport(report), null, 2))
  else for (const line of textReport(report, { verbose })) console.log(line)
  if (!json && report.coverage.percent < threshold)
    console.error(
      `error: ${report.coverage.percent} % of the lines are covered, ${threshold} % are required`,
    )
  process.exitCode = report.passed ? 0 : 1
  return report.files
}

const jsonReport = ({
  name,
  rego,
  cases,
  failOpen,
  coverage,
  warnings,
  problems,
  passed,
}: PackageReport) => ({
  ...{ name, passed, problems },
  rego: rego.map(({ test, status, error }) => ({
    ...{ name: fullName(test), status, error: error?.text ?? null },
  })),
  cases: cases.map(({ case: { name: title, place }, outcome, problem }) => ({
    ...{ name: title, place, decision: outcome.decision, reasons: outcome.reasons },
    ...{ error: outcome.error ?? null, unanswered: outcome.unanswered, problem: problem ?? null },
  })),
  failOpen: failOpen.map((result) => ({
    ...{ name: result.name, host: result.host, mode: result.mode, failure: result.failure },
    ...{ decision: result.outcome.decision, reasons: result.outcome.reasons },
    ...{ accepted: result.accepted, failsOpen: isFailOpen(result) },
  })),
  ...{ coverage, warnings },
})
