import { LimitError, type Location, located, RegoError } from '../errors.ts'
import { withoutValues } from './withoutValues.ts'

/** Converts internal exceptions to Rego errors, without values if the evaluation is private. */
export function guarded<T>(run: () => T, location?: Location, isPrivate = false): T {
  try {
    return run()
  } catch (error) {
    const converted = asRegoError(error, location)
    throw isPrivate ? withoutValues(converted) : converted
  }
}

/** Limits get the location if they have none. */
function asRegoError(error: unknown, location: Location | undefined): RegoError {
  if (error instanceof RegoError) return located(error, location) as RegoError
  if (error instanceof RangeError) {
    return new LimitError('evaluation nests too deeply', { location, cause: error })
  }
  return new RegoError('eval_internal_error', 'the engine failed', { cause: error })
}
