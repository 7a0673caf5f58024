import { ConformanceError, Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import { isRequired } from './observed.ts'

/**
 * Runs something that depends on an open point, such as the associated data of an envelope. It is
 * required of the reference implementation; if another gateway rejects it, nothing is proven or
 * refuted.
 */
export async function openPoint<T>(
  t: CheckContext,
  what: string,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (isRequired(t, 'open-point') || !(error instanceof ConformanceError)) throw error
    throw new Untestable(`this gateway does not accept ${what}: ${error.observed}`)
  }
}
