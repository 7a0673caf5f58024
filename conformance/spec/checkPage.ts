import type { Check } from '../core/check.ts'

type ListedCheck = Pick<Check, 'id' | 'title' | 'level' | 'clauses'>

const preamble = `# Checks

Generated from \`conformance/checks/\` by \`npm run spec\`; do not edit.

Every check with its level, what it tests and its clauses (see [clauses.md](clauses.md)), in the order in
which exclusive checks run. An id is never reused for another check. Some files compose ids from tables of
methods and values: search this page for the id to find the file, and run \`polgate explain <check>\` for the
line, an exchange that passes and the mutants it detects.
`

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

const row = ({ id, title, level, clauses }: ListedCheck) =>
  `| \`${id}\` | ${level} | ${cell(title)} | ${clauses.join(', ')} |`

/** All checks as Markdown, grouped by the file of `conformance/checks` that exports them. */
export function checkPage(
  checksByFile: readonly (readonly [file: string, checks: readonly ListedCheck[]])[],
): string {
  const files = checksByFile.map(([file, checks]) =>
    [
      `## [${file}](../checks/${file})`,
      '',
      '| Check | Level | Title | Clauses |',
      '|---|---|---|---|',
      ...checks.map(row),
    ].join('\n'),
  )
  return `${[preamble.trimEnd(), ...files].join('\n\n')}\n`
}
