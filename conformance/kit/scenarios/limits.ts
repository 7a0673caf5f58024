import type { CheckContext } from '../../core/context.ts'
import { control } from './controlListener.ts'

/** A rate as a local stack's control listener takes it: a bucket of `burst`, filled by the second. */
export type Limit = { readonly perSecond: number; readonly burst: number }

export type LimitsChange = {
  readonly perKey?: Limit
  readonly perMethod?: Readonly<Record<string, Limit>>
  readonly explorer?: Limit
}

/** Runs something under other rate limits; those of the start are back afterwards. */
export const underLimits = async <T>(
  t: CheckContext,
  change: LimitsChange,
  run: () => Promise<T>,
): Promise<T> => {
  try {
    await control(t, '/limits', 'POST', change)
    return await run()
  } finally {
    await control(t, '/limits', 'POST', {})
  }
}
