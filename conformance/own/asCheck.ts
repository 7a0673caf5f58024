import type { Check } from '../core/check.ts'
import { ConformanceError } from '../core/conformanceError.ts'
import type { OwnSource } from '../core/events.ts'
import { shownPair } from '../core/expect.ts'
import type { OwnCheck } from './ownCheck.ts'
import { toolsOf } from './toolsOf.ts'

/** What assertion libraries throw: `node:assert`, chai and others. */
type AssertionError = Error & { readonly expected?: unknown; readonly actual?: unknown }

const isAssertion = (error: unknown): error is AssertionError =>
  error instanceof Error && error.name.startsWith('AssertionError')

/** A check of a gateway itself as the runner executes it. */
export function asCheck(check: OwnCheck, source: Omit<OwnSource, 'clause'>): Check {
  const { id, title, level, clause, needs = [], twin, exclusive } = check
  return {
    id,
    title,
    level,
    clauses: [],
    needs,
    ...(twin === undefined ? {} : { twin }),
    ...(exclusive ? { exclusive } : {}),
    own: { ...source, ...(clause === undefined ? {} : { clause }) },
    run: async (context) => {
      try {
        await check.run(toolsOf(context))
      } catch (cause) {
        if (!isAssertion(cause)) throw cause
        const { expected, actual } = cause
        throw new ConformanceError(cause.message, { ...shownPair(expected, actual), cause })
      }
    },
  }
}
