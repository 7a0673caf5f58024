import type { CheckInfo } from '../core/check.ts'
import { freshSeed, parseSeed } from '../core/seed.ts'
import { type Selection, selectChecks } from '../core/select.ts'
import type { TaggedCheck } from '../core/tags.ts'
import { ofShard, parseShard, type Shard } from './shard.ts'

export type PlanOptions = Omit<Selection, 'only'> & {
  readonly seed?: string | undefined
  /** `1/2` and so on. */
  readonly shard?: string | undefined
}

/** The checks of a run, before the target is known. */
export type Plan<C = CheckInfo> = {
  readonly seed: string
  readonly checks: readonly C[]
  /** Number of checks in the suite, without those of the gateway itself. */
  readonly of: number
  readonly shard?: Shard & { readonly others: readonly C[] }
}

/** Checks of an earlier run that are run again, with its seed. */
export type EarlierRun = { readonly ids: readonly string[]; readonly seed: string }

/** Selects checks and seed. Failed checks of an earlier run are run with its seed. */
export function planOf<C extends TaggedCheck>(
  all: readonly C[],
  options: PlanOptions,
  earlier?: EarlierRun | undefined,
): Plan<C> {
  const seed = options.seed === undefined ? (earlier?.seed ?? freshSeed()) : parseSeed(options.seed)
  const chosen = selectChecks(all, { ...options, only: earlier?.ids })
  const plan = { seed, of: all.filter(({ own }) => own === undefined).length }
  if (options.shard === undefined) return { ...plan, checks: chosen }
  const shard = parseShard(options.shard)
  const { own, others } = ofShard(chosen, shard)
  return { ...plan, checks: own, shard: { ...shard, others } }
}

/** Whether a plan has every check of the suite, here or in other shards. */
export const isWhole = ({ checks, of, shard }: Plan): boolean =>
  [...checks, ...(shard?.others ?? [])].filter(({ own }) => own === undefined).length === of
