import { Untestable } from '../runner/conformanceError.ts'
import type { CheckContext } from '../runner/context.ts'

/** What oracles find outside: prices and lists, or an outage. */
export type World = {
  readonly mode?: 'ok' | 'error' | 'slow' | 'huge' | 'redirect' | 'garbage'
  readonly prices?: Readonly<Record<string, number>>
  readonly listed?: readonly string[]
  /** Successive prices differ by this fraction. */
  readonly spread?: number
}

const setWorld = async (t: CheckContext, world: World): Promise<void> => {
  const response = await t.fetch(`${t.target.controlUrl}/world`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(world),
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok)
    throw new Untestable(`the control listener answered ${response.status} to /world`)
}

/** Runs something in another world; the world is as after the start afterwards. */
export const inWorld = async <T>(
  t: CheckContext,
  world: World,
  run: () => Promise<T>,
): Promise<T> => {
  try {
    await setWorld(t, world)
    return await run()
  } finally {
    await setWorld(t, {})
  }
}
