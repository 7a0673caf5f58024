const heading = '## Unreleased\n'

/** What a release contains: the entries under `Unreleased`; empty if there are none. */
export function unreleased(changelog: string): string {
  const begin = changelog.indexOf(heading)
  if (begin < 0) throw new Error(`CHANGELOG.md has no heading '${heading.trim()}'`)
  const rest = changelog.slice(begin + heading.length)
  const next = /^## /m.exec(rest)
  return (next === null ? rest : rest.slice(0, next.index)).trim()
}

/**
 * Moves the entries under `Unreleased` to a version.
 *
 * @param date of the release, as 2026-11-21
 * @throws Error if there are none, or the version is there already
 */
export function releaseEntries(changelog: string, version: string, date: string): string {
  if (changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has ${version} already`)
  if (unreleased(changelog) === '')
    throw new Error('CHANGELOG.md has nothing under Unreleased: nothing to release')
  return changelog.replace(heading, `${heading}\n## ${version} - ${date}\n`)
}
