import type { CheckInfo } from '../core/check.ts'
import { belongsTo, checkProfiles } from '../core/checkProfiles.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { freshSeed, parseSeed } from '../core/seed.ts'
import { type Selection, selectChecks } from '../core/select.ts'
import type { TaggedCheck } from '../core/tags.ts'
import { type Profile, profiles } from '../register/profiles.ts'
import { ofShard, parseShard, type Shard } from './shard.ts'

export type PlanOptions = Omit<Selection, 'only'> & {
  readonly seed?: string | undefined
  /** `1/2` and so on. */
  readonly shard?: string | undefined
  /** The profiles that the target claims; all by default. */
  readonly claimed?: readonly Profile[] | undefined
}

/** The checks of a run, before the target is known. */
export type Plan<C = CheckInfo> = {
  readonly seed: string
  readonly checks: readonly C[]
  /** Number of checks of the claimed profiles, without those of the gateway itself. */
  readonly of: number
  readonly claimed: readonly Profile[]
  /** Number of checks of the suite that belong to other profiles. */
  readonly notClaimed: number
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
  const { claimed = profiles } = options
  const isClaimed = (check: C) => belongsTo(check, claimed)
  const selected = selectChecks(all, { ...options, only: earlier?.ids })
  const chosen = selected.filter(isClaimed)
  if (chosen.length === 0) throw notClaimed(selected, claimed)
  const ofSuite = all.filter(({ own }) => own === undefined)
  const of = ofSuite.filter(isClaimed).length
  const plan = { seed, of, claimed, notClaimed: ofSuite.length - of }
  if (options.shard === undefined) return { ...plan, checks: chosen }
  const shard = parseShard(options.shard)
  const { own, others } = ofShard(chosen, shard)
  return { ...plan, checks: own, shard: { ...shard, others } }
}

function notClaimed(selected: readonly CheckInfo[], claimed: readonly Profile[]): CannotRun {
  const names = profiles.filter(
    (profile) =>
      !claimed.includes(profile) &&
      selected.some((check) => checkProfiles(check).includes(profile)),
  )
  return new CannotRun(
    `the selected checks belong to profiles that the target does not claim: ${names.join(', ')}`,
    `Add them to profiles in the target file, or for this run with --require ${names.join(',')}.`,
  )
}

/** Whether a plan has every check of the claimed profiles, here or in other shards. */
export const isWhole = ({ checks, of, shard }: Plan): boolean =>
  [...checks, ...(shard?.others ?? [])].filter(({ own }) => own === undefined).length === of
