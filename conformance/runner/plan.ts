import type { Check } from './check.ts'
import { failedIn, lastRun } from './lastRun.ts'
import { freshSeed, parseSeed } from './seed.ts'
import { type Selection, selectChecks } from './select.ts'
import { ofShard, parseShard, type Shard } from './shard.ts'

export type PlanOptions = Omit<Selection, 'only'> & {
  readonly seed?: string | undefined
  /** An event log, or the directory of a run; true for the last one. */
  readonly onlyFailed?: string | boolean | undefined
  /** `1/2` and so on. */
  readonly shard?: string | undefined
}

/** The checks of a run, before the target is known. */
export type Plan = {
  readonly seed: string
  readonly checks: readonly Check[]
  /** Number of checks in the suite. */
  readonly of: number
  readonly shard?: Shard & { readonly others: readonly Check[] }
}

/** Selects checks and seed. Failed checks of an earlier run are run with its seed. */
export const planOf = (all: readonly Check[], options: PlanOptions, cwd: string): Plan => {
  const { onlyFailed } = options
  const earlier =
    onlyFailed === undefined || onlyFailed === false
      ? undefined
      : failedIn(onlyFailed === true ? lastRun(cwd) : onlyFailed)
  const seed = options.seed === undefined ? (earlier?.seed ?? freshSeed()) : parseSeed(options.seed)
  const chosen = selectChecks(all, { ...options, only: earlier?.ids })
  const plan = { seed, of: all.length }
  if (options.shard === undefined) return { ...plan, checks: chosen }
  const shard = parseShard(options.shard)
  const { own, others } = ofShard(chosen, shard)
  return { ...plan, checks: own, shard: { ...shard, others } }
}
