import { Untestable } from '../runner/conformanceError.ts'
import type { CheckContext } from '../runner/context.ts'

/** A rate as a local stack's control listener takes it: a bucket of `burst`, filled by the second. */
export type Limit = { readonly perSecond: number; readonly burst: number }

export type LimitsChange = {
  readonly perKey?: Limit
  readonly perMethod?: Readonly<Record<string, Limit>>
}

const setLimits = async (t: CheckContext, change: LimitsChange): Promise<void> => {
  const response = await t.fetch(`${t.target.controlUrl}/limits`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(change),
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok)
    throw new Untestable(`the control listener answered ${response.status} to /limits`)
}

/** Runs something under other rate limits; those of the start are back afterwards. */
export const underLimits = async <T>(
  t: CheckContext,
  change: LimitsChange,
  run: () => Promise<T>,
): Promise<T> => {
  try {
    await setLimits(t, change)
    return await run()
  } finally {
    await setLimits(t, {})
  }
}
