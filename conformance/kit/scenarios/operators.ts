import type { CheckContext } from '../../core/context.ts'
import { control } from './controlListener.ts'

/** Stakes in the order of the control listener's indices. */
export const stakesOf = (t: CheckContext): readonly bigint[] =>
  (t.target.operators ?? []).map((operator) => BigInt(operator.stake))

/** Starts each one even if another fails: later checks rely on all of them. */
async function startAll(t: CheckContext, stopped: readonly number[]): Promise<void> {
  const started = await Promise.allSettled(
    stopped.map((index) => control(t, `/operators/${index}/start`)),
  )
  for (const each of started) if (each.status === 'rejected') throw each.reason
}

/**
 * Runs something while some operators are stopped; all are restarted afterwards, whatever happens.
 */
export async function withStopped<T>(
  t: CheckContext,
  stopped: readonly number[],
  run: () => Promise<T>,
): Promise<T> {
  try {
    for (const index of stopped) await control(t, `/operators/${index}/stop`)
    return await run()
  } finally {
    await t.cleanup(() => startAll(t, stopped))
  }
}

/** Whether the running operators have the required share of stake (section 4.2). */
export function reaches(
  stakes: readonly bigint[],
  stopped: readonly number[],
  threshold: number,
): boolean {
  const sum = (list: readonly bigint[]) => list.reduce((a, b) => a + b, 0n)
  const signed = sum(stakes.filter((_, i) => !stopped.includes(i)))
  return signed > 0n && signed * 100n >= sum(stakes) * BigInt(threshold)
}

/** The largest threshold that the running operators reach; 0 if none runs. */
export const edgeOf = (stakes: readonly bigint[], stopped: readonly number[]): number =>
  Array.from({ length: 101 }, (_, at) => 100 - at).find((threshold) =>
    reaches(stakes, stopped, threshold),
  ) ?? 0
