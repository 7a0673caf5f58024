import { relative } from 'node:path'
import { RegoError } from 'polgate-rego/errors.ts'
import { colours } from '../colours.ts'
import { CommandError } from '../commandDefinition.ts'
import type { PackageWarning } from '../package/packageWarning.ts'
import { packageWarnings } from '../package/packageWarnings.ts'
import type { PolicyPackage } from '../package/policyPackage.ts'
import { note, printable } from '../policy/notes.ts'
import { packageFailures, testPackage } from '../policy/test/packageTest.ts'
import { openPolicyCode } from '../policy/test/policyCode.ts'
import { digestsOf, passedBefore, recordPassed } from './passedTests.ts'

/** What `policy test` found in a package. */
export type PublishFindings = {
  readonly warnings: readonly PackageWarning[]
  /** One line each. */
  readonly failures: readonly string[]
}

/**
 * Tests the package as `policy test` does, unless it passed with the same contents. A package without tests is
 * warned of.
 *
 * @throws CommandError if it cannot be tested, or its policy does not compile
 */
export async function publishFindings(given: PolicyPackage): Promise<PublishFindings> {
  try {
    if (given.tests.length > 0 || given.cases !== undefined) {
      const warnings = await passedBefore(given.directory, given.files)
      if (warnings !== undefined) return { warnings, failures: [] }
      const before = await digestsOf(given.files)
      const report = await testPackage(given.directory, { threshold: 0, note })
      const failures = packageFailures(report)
      if (failures.length === 0) await recordPassed(given.directory, before, report)
      return { warnings: report.warnings, failures }
    }
    await openPolicyCode(given)
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
    throw new CommandError(error.text, {
      hint: 'polgate rego check shows all errors.',
      cause: error,
    })
  }
  const untested = {
    id: 'no-tests',
    place: given.file,
    message: 'the package has no tests and no cases',
    help: 'add tests: [policy_test.rego] or cases: cases.yaml',
  }
  return { warnings: [...(await packageWarnings(given)), untested], failures: [] }
}

const shownFailures = 10

/** @throws CommandError before anything is sent */
export function refuseFailures(failures: readonly string[]): void {
  if (failures.length === 0) return
  const more = failures.length - shownFailures
  const lines = failures.slice(0, shownFailures).map((line) => `\n  ${shown(line)}`)
  throw new CommandError(
    `not published, because policy test fails:${lines.join('')}${more > 0 ? `\n  and ${more} more` : ''}`,
    {
      hint: 'Nothing was sent. Correct the package, or publish it despite that: --allow-failing REASON.',
      exitCode: 1,
    },
  )
}

/** For a terminal, one line for each and one for its help. */
export function warningLines(warnings: readonly PackageWarning[]): readonly string[] {
  const { yellow, dim } = colours(process.stdout)
  return warnings.flatMap(({ id, place, message, help }) => [
    `${yellow('warning')}   ${shown(`${placeOf(place)} ${message} (${id})`)}`,
    dim(`          ${shown(help)}`),
  ])
}

const shown = (text: string) => printable(text.slice(0, 500)).replaceAll('\n', ' ')

function placeOf(place: string): string {
  const short = relative(process.cwd(), place)
  return short.length < place.length ? short : place
}

/** @throws CommandError before anything is sent */
export function refuseWarnings(warnings: readonly PackageWarning[]): void {
  if (warnings.length === 0) return
  const count = warnings.length === 1 ? 'a warning' : `${warnings.length} warnings`
  throw new CommandError(`not published, because of ${count} (--strict)`, {
    hint: 'Nothing was sent. Correct the package, or leave out --strict.',
    exitCode: 1,
  })
}
