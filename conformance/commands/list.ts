import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import { describedChecks } from '../checks/described.ts'
import { sectionOf } from '../core/check.ts'
import { type TaggedCheck, tagsOf } from '../core/tags.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { type PlanOptions, planOf } from '../runner/plan.ts'
import { type EarlierRunOptions, earlierRun } from './lastRun.ts'
import { plannedJson } from './planText.ts'
import type { CommandIo } from './world.ts'

export type ListOptions = PlanOptions & EarlierRunOptions & { readonly json?: boolean | undefined }

/** One check per line: id, level, tags, requirements. */
const listReport = (checks: readonly TaggedCheck[]): string =>
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

/** Lists the checks that a run with the same filters would execute. */
export async function list(
  options: ListOptions,
  { stdout, cwd, env }: CommandIo,
): Promise<ExitCode> {
  const { checks: chosen } = planOf(describedChecks, options, await earlierRun(options, cwd))
  stdout.write(
    options.json
      ? `${JSON.stringify(chosen.map(plannedJson), undefined, 2)}\n`
      : wrapText(listReport(chosen), outputWidth(stdout, env)),
  )
  return exitCode.conformant
}
