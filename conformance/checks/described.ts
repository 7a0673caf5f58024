import { compiledValue } from 'polgate-lib/compile/importCompiled.mjs'
import type { TaggedCheck } from '../core/tags.ts'

/**
 * Every check without what runs it. Loading the checks takes two seconds; what they are called and what
 * they need is computed once for each version of their sources, and read from a file after that.
 */
export const describedChecks = (await compiledValue(
  'conformance/checks/describe.ts',
)) as readonly TaggedCheck[]
