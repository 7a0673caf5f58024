import { type Check, sectionOf } from '../core/check.ts'
import { tagsOf } from '../core/tags.ts'

/** Checks, one a line: what each is called, how strongly it is asked, its tags, what it needs. */
export const listReport = (checks: readonly Check[]): string =>
  checks
    .map((check) =>
      [
        sectionOf(check).padEnd(5),
        check.level.padEnd(7),
        check.id,
        `{${tagsOf(check).join(' ')}}`,
        check.needs.length > 0 ? `[${check.needs.join(', ')}]` : '',
      ]
        .join(' ')
        .trimEnd(),
    )
    .concat(`${checks.length} checks`, '')
    .join('\n')
