import { counted } from 'polgate-lib/text/counted.ts'
import type { CheckInfo } from '../core/check.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { expectedMs } from '../core/durations.ts'

export type Shard = { readonly index: number; readonly count: number }

const most = 1_000

/** Parses `2/4`: the second of four shards. */
export function parseShard(text: string): Shard {
  const [, index = 0, count = 0] = (/^([0-9]{1,4})\/([0-9]{1,4})$/.exec(text) ?? []).map(Number)
  if (index < 1 || count < 1 || index > count || count > most)
    throw new CannotRun(`--shard '${text}' is not a shard`, 'Use 1/2 and 2/2.')
  return { index, count }
}

const byLength = (a: CheckInfo, b: CheckInfo) =>
  expectedMs(b) - expectedMs(a) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/**
 * The shard of each check, derived from the ids alone: each check, the longest first, goes to the
 * shard with the least work. Exclusive checks are distributed separately, since nothing runs beside
 * them.
 */
function partsOf<C extends CheckInfo>(checks: readonly C[], count: number): ReadonlyMap<C, number> {
  const parts = new Map<C, number>()
  for (const kind of [checks.filter((c) => c.exclusive), checks.filter((c) => !c.exclusive)]) {
    const load = Array.from({ length: count }, () => 0)
    for (const check of [...kind].sort(byLength)) {
      const least = load.indexOf(Math.min(...load))
      load[least]! += expectedMs(check)
      parts.set(check, least + 1)
    }
  }
  return parts
}

/** The checks of one shard, and those of the others, each in the given order. */
export function ofShard<C extends CheckInfo>(
  checks: readonly C[],
  { index, count }: Shard,
): { readonly own: readonly C[]; readonly others: readonly C[] } {
  const parts = partsOf(checks, count)
  const own = checks.filter((check) => parts.get(check) === index)
  if (own.length === 0)
    throw new CannotRun(
      `shard ${index} of ${count} has no check`,
      `Use fewer shards for ${counted(checks.length, 'check')}.`,
    )
  return { own, others: checks.filter((check) => parts.get(check) !== index) }
}
