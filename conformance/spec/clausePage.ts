import type { Check } from '../core/check.ts'
import type { Clause } from '../register/clause.ts'
import { dependencies, profiles } from '../register/profiles.ts'

/** The part of a check that the page shows: enough to find it with `polgate explain`. */
type ListedCheck = Pick<Check, 'id' | 'clauses'>

export type ClausePageInput = {
  readonly clauses: readonly Clause[]
  readonly checks: readonly ListedCheck[]
  /** Titles of the sections by number, see `sectionTitles`. */
  readonly titles: ReadonlyMap<string, string>
}

const dependencyText = profiles
  .flatMap((profile) => dependencies[profile].map((needed) => `\`${profile}\` on \`${needed}\``))
  .join(', ')

const preamble = `# Clauses

Generated from \`conformance/register/\` by \`npm run spec\`; do not edit.

Each row is one fact of the [specification](service.md), small enough for a check to prove or refute.
Link to a clause by its id: \`clauses.md#4.2-07\`. An id is never reused for another fact.

Levels: **must** and **should** as in RFC 2119. **open** marks a point that the specification leaves
open: the suite records what a gateway does there and never fails it. What the reference
implementation does is in [decisions.md](decisions.md). \`polgate explain <check>\` describes a check.

A profile is a part of the service that a gateway may have or not. It holds if each of its **must** clauses that
has a check is proven. They depend on each other: ${dependencyText}.
`

/** Section numbers and titles of the headings of \`service.md\`. */
export const sectionTitles = (servicePage: string): ReadonlyMap<string, string> =>
  new Map(
    [...servicePage.matchAll(/^#{2,3} <a id="([\d.]+)"><\/a>[\d.]+ (.+)$/gm)].map(
      ([, section, title]) => [section!, title!],
    ),
  )

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

/** Longer lists of checks are collapsed. */
const shownChecks = 12

function listOf(names: readonly string[]) {
  const list = names.join(', ')
  if (names.length <= shownChecks) return list
  return `<details><summary>${names.length} checks</summary>${list}</details>`
}

function row(clause: Clause, checks: readonly ListedCheck[]) {
  const testing = checks
    .filter((check) => check.clauses.includes(clause.id))
    .map(({ id }) => `\`${id}\``)
  const tested =
    clause.noCheck === undefined ? listOf(testing) : cell(`No check: ${clause.noCheck}`)
  const level = clause.open ? 'open' : clause.level
  return `| <a id="${clause.id}"></a>${clause.id} | ${level} | ${clause.profile} | ${cell(clause.text)} | ${tested} |`
}

/**
 * All clauses as Markdown, grouped by section.
 *
 * @throws Error if a section has no heading in service.md
 */
export function clausePage({ clauses, checks, titles }: ClausePageInput): string {
  const sections = [...new Set(clauses.map(({ section }) => section))].map((section) => {
    const title = titles.get(section)
    if (title === undefined)
      throw new Error(
        `section ${section} has clauses but no heading in conformance/spec/service.md: add one`,
      )
    return [
      `## ${section} ${title}`,
      '',
      '| Clause | Level | Profile | Text | Tested by |',
      '|---|---|---|---|---|',
      ...clauses
        .filter((clause) => clause.section === section)
        .map((clause) => row(clause, checks)),
    ].join('\n')
  })
  return `${[preamble.trimEnd(), ...sections].join('\n\n')}\n`
}
