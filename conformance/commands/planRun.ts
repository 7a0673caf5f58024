import { describedChecks } from '../checks/described.ts'
import type { TaggedCheck } from '../core/tags.ts'
import { loadOwnChecks, type OwnChecks } from '../own/loadOwnChecks.ts'
import type { Profile } from '../register/profiles.ts'
import { type Plan, type PlanOptions, planOf } from '../runner/plan.ts'
import { claimOf, declaredBy, expectProvable } from '../targets/claim.ts'
import type { PrepareOptions, PrepareWorld } from '../targets/prepare.ts'
import { wantedTarget } from '../targets/wantedTarget.ts'
import { type EarlierRunOptions, earlierRun } from './lastRun.ts'

export type PlanRunOptions = PlanOptions &
  EarlierRunOptions & {
    /** Files, folders or glob patterns of the gateway's own checks. */
    readonly checks?: readonly string[] | undefined
  }

/** What a command can select from, and what it selected. */
export type PlannedRun = {
  /** The checks of the suite, and those of the gateway itself. */
  readonly all: readonly TaggedCheck[]
  readonly own: OwnChecks
  readonly plan: Plan<TaggedCheck>
}

/** A check as it is listed: without what runs it. */
function described({ run: _, ...check }: OwnChecks['checks'][number]): TaggedCheck {
  return { ...check, isProperty: false, ...(check.own && { file: check.own.file }) }
}

export type ClaimOptions = Pick<PrepareOptions, 'target' | 'targetFile' | 'description'> & {
  /** Profiles to test besides those that the target file claims. */
  readonly require?: readonly string[] | undefined
}

/**
 * The profiles that a run of a target tests, before anything is started.
 * @throws CannotRun where they cannot hold
 */
export function claimedBy(
  options: ClaimOptions,
  world: Pick<PrepareWorld, 'cwd' | 'env'>,
): readonly Profile[] {
  const declared = options.description ?? declaredBy(wantedTarget(options, world))
  const claimed = claimOf(declared, options.require)
  expectProvable(claimed, declared, describedChecks)
  return claimed
}

/**
 * Loads the gateway's own checks and selects from all of them. Call `own.close()` when nothing loads them
 * any more.
 * @throws CannotRun
 */
export async function planRun(options: PlanRunOptions, cwd: string): Promise<PlannedRun> {
  const own = await loadOwnChecks(options.checks, cwd, describedChecks)
  try {
    const all = [...describedChecks, ...own.checks.map(described)]
    return { all, own, plan: planOf(all, options, await earlierRun(options, cwd)) }
  } catch (error) {
    own.close()
    throw error
  }
}
