import type { CheckContext } from '../../core/context.ts'
import { control } from './controlListener.ts'

/**
 * A rate limit as a local stack's control listener accepts it: a bucket of `burst`, refilled per
 * second.
 */
export type Limit = { readonly perSecond: number; readonly burst: number }

export type LimitsChange = {
  readonly perKey?: Limit
  readonly perMethod?: Readonly<Record<string, Limit>>
  readonly explorer?: Limit
}

/** Runs something with other rate limits; the original ones are restored afterwards. */
export async function underLimits<T>(
  t: CheckContext,
  change: LimitsChange,
  run: () => Promise<T>,
): Promise<T> {
  try {
    await control(t, '/limits', 'POST', change)
    return await run()
  } finally {
    await t.cleanup(() => control(t, '/limits', 'POST', {}))
  }
}
