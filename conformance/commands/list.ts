import { checks } from '../checks/catalogue.ts'
import { listReport } from '../reports/list.ts'
import { plannedJson } from '../reports/plan.ts'
import { type PlanOptions, planOf } from '../runner/plan.ts'
import { type ExitCode, exitCode } from '../runner/verdict.ts'
import type { CommandWorld } from './world.ts'

export type ListOptions = PlanOptions & { readonly json?: boolean | undefined }

/** Lists the checks that a run with the same filters would execute. */
export const list = (options: ListOptions, { stdout, cwd }: CommandWorld): ExitCode => {
  const { checks: chosen } = planOf(checks, options, cwd)
  stdout.write(
    options.json
      ? `${JSON.stringify(chosen.map(plannedJson), undefined, 2)}\n`
      : listReport(chosen),
  )
  return exitCode.conformant
}
