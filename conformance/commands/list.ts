import { counted } from 'polgate-lib/text/counted.ts'
import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import { sectionOf } from '../core/check.ts'
import { type TaggedCheck, tagsOf } from '../core/tags.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { type PlanRunOptions, planRun } from './planRun.ts'
import { plannedJson } from './planText.ts'
import type { CommandIo } from './world.ts'

export type ListOptions = PlanRunOptions & { readonly json?: boolean | undefined }

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
    .concat(`${counted(checks.length, 'check')}`, '')
    .join('\n')

/** Lists the checks that a run with the same filters would execute. */
export async function list(
  options: ListOptions,
  { stdout, cwd, env }: CommandIo,
): Promise<ExitCode> {
  const { plan, own } = await planRun(options, cwd)
  own.close()
  const { checks: chosen } = plan
  stdout.write(
    options.json
      ? `${JSON.stringify(chosen.map(plannedJson), undefined, 2)}\n`
      : wrapText(listReport(chosen), outputWidth(stdout, env)),
  )
  return exitCode.conformant
}
