import { type Check, sectionOf } from '../runner/check.ts'

/** The plan, one line a check: what it is called, how strongly it is asked, what it needs. */
export const listReport = (checks: readonly Check[]): string =>
  checks
    .map((check) =>
      [
        sectionOf(check).padEnd(5),
        check.level.padEnd(7),
        check.id,
        check.needs.length > 0 ? `[${check.needs.join(', ')}]` : '',
      ]
        .join(' ')
        .trimEnd(),
    )
    .concat(`${checks.length} checks`, '')
    .join('\n')
