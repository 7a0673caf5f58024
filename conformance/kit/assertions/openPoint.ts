import { ConformanceError, Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import { isRequired } from './observed.ts'

/**
 * Runs what rests on a choice that the specification does not show, such as the associated data of
 * an envelope. The reference implementation is held to it; with another gateway that does not take
 * it nothing is proven, and nothing refuted.
 */
export const openPoint = async <T>(
  t: CheckContext,
  what: string,
  run: () => Promise<T>,
): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (isRequired(t, 'open-point') || !(error instanceof ConformanceError)) throw error
    throw new Untestable(`this gateway does not take ${what}: ${error.observed}`)
  }
}
