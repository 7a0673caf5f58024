import { relative } from 'node:path'
import { colours } from '../colours.ts'
import { CommandError } from '../commandDefinition.ts'
import { type PackageWarning, packageWarnings } from '../package/packageWarnings.ts'
import type { PolicyPackage } from '../package/policyPackage.ts'
import { note, printable } from '../policy/notes.ts'
import { swallowedFailures } from '../policy/test/packageTest.ts'

/**
 * What `policy test` warns of. Whether oracles swallow failures is tried with the decision table, which takes
 * seconds; a table that cannot be run is a warning, too.
 *
 * @param options.oracles whether to try them
 */
export async function publishWarnings(
  given: PolicyPackage,
  options: { readonly oracles: boolean },
): Promise<readonly PackageWarning[]> {
  const ofPolicy = await packageWarnings(given)
  if (!options.oracles || given.oracles.length === 0) return ofPolicy
  const ofOracles = await swallowedFailures(given, { note }).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error
    const place = given.cases ?? given.file
    const message = `failures of hosts were not tried: ${error.message}`
    return [{ id: 'untested-oracle', place, message, help: 'run polgate policy test' }]
  })
  return [...ofPolicy, ...ofOracles]
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
