import type { CheckContext } from '../../core/context.ts'
import { control } from './controlListener.ts'

/** The data that oracles fetch: prices and lists, or an outage. */
export type OracleData = {
  readonly mode?: 'ok' | 'error' | 'slow' | 'huge' | 'redirect' | 'garbage'
  readonly prices?: Readonly<Record<string, number>>
  readonly listed?: readonly string[]
  /** Successive prices differ by this fraction. */
  readonly spread?: number
  /** Age of a price in seconds, when it is fetched. */
  readonly feedAge?: number
}

/** Runs something with other oracle data; the initial data is restored afterwards. */
export async function withOracleData<T>(
  t: CheckContext,
  world: OracleData,
  run: () => Promise<T>,
): Promise<T> {
  try {
    await control(t, '/world', 'POST', world)
    return await run()
  } finally {
    await t.cleanup(() => control(t, '/world', 'POST', {}))
  }
}
