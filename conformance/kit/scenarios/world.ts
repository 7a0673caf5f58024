import type { CheckContext } from '../../core/context.ts'
import { control } from './controlListener.ts'

/** What oracles find outside: prices and lists, or an outage. */
export type World = {
  readonly mode?: 'ok' | 'error' | 'slow' | 'huge' | 'redirect' | 'garbage'
  readonly prices?: Readonly<Record<string, number>>
  readonly listed?: readonly string[]
  /** Successive prices differ by this fraction. */
  readonly spread?: number
  /** Seconds since a price was last updated, when it is asked for. */
  readonly feedAge?: number
}

/** Runs something in another world; the world is as after the start afterwards. */
export const inWorld = async <T>(
  t: CheckContext,
  world: World,
  run: () => Promise<T>,
): Promise<T> => {
  try {
    await control(t, '/world', 'POST', world)
    return await run()
  } finally {
    await control(t, '/world', 'POST', {})
  }
}
