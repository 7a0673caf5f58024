import { checks } from '../checks/catalogue.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { type PlanOptions, planOf } from '../runner/plan.ts'
import { listReport } from './listText.ts'
import { plannedJson } from './planText.ts'
import type { CommandWorld } from './world.ts'

export type ListOptions = PlanOptions & { readonly json?: boolean | undefined }

/** Lists what a run with the same filters would ask. */
export const list = (options: ListOptions, { stdout, cwd }: CommandWorld): ExitCode => {
  const { checks: chosen } = planOf(checks, options, cwd)
  stdout.write(
    options.json
      ? `${JSON.stringify(chosen.map(plannedJson), undefined, 2)}\n`
      : listReport(chosen),
  )
  return exitCode.conformant
}
