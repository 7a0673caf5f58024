import { type Check, sectionOf } from '../runner/check.ts'
import { tagsOf } from '../runner/tags.ts'

/** One check per line: id, level, tags, requirements. */
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
