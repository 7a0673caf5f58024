import type { Documents } from '../engine.ts'
import type { Policy } from './policy.ts'

/**
 * The same compiled policy with other base documents, which replace all of them; the policy itself keeps its own.
 *
 * @param documents `data`, plain JSON, or `dataJson`, text, which keeps integers of any size
 * @throws RegoError for a document at the path of a rule
 */
export const setData = (policy: Policy, documents: Pick<Documents, 'data' | 'dataJson'>): Policy =>
  policy.withData(documents)
