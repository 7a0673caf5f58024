import type { Mutant } from './mutant.ts'
import { changedParams, type Json } from './wrappedListeners.ts'

/** Whether a member is valid. */
export type Fits = (value: Json) => boolean

const text =
  (pattern: RegExp): Fits =>
  (value) =>
    typeof value === 'string' && pattern.test(value)

export const isAddress = text(/^0x[0-9a-f]{40}$/i)
export const isBytes32 = text(/^0x[0-9a-f]{64}$/i)
export const isData = text(/^0x([0-9a-f]{2})*$/i)
export const isString: Fits = (value) => typeof value === 'string'
export const isArray: Fits = (value) => Array.isArray(value)
export const isObject: Fits = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Sets the member at a path, `*` for each of an array, wherever it is invalid. */
function mend(value: Json, path: readonly string[], fits: Fits, right: Json): void {
  const [step, ...rest] = path
  if (typeof value !== 'object' || value === null || step === undefined) return
  const steps = step === '*' ? Object.keys(value) : [step]
  for (const name of steps)
    if (rest.length > 0) mend(value[name], rest, fits, right)
    else if (!fits(value[name])) value[name] = right
}

/** A gateway that accepts invalid requests: an invalid member is silently replaced. */
export const lenient = (
  id: string,
  clauses: readonly string[],
  { method, path, fits, right }: { method: string; path: string; fits: Fits; right: Json },
): Mutant => ({
  id,
  fault: `${method} accepts any ${path}, or none`,
  clauses,
  parts: changedParams(method, (params) => {
    mend(params, path.split('.'), fits, right)
    return params
  }),
})

/** An address without a contract. */
export const someAddress = `0x${'51'.repeat(20)}`
