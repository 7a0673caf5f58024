import { expectEqual } from '../../core/expect.ts'
import type { Invariant } from '../step.ts'

/** Sections 4.1 and 5.3: no answer, frame or webhook holds a key or a secret. */
export const nothingLeaks: Invariant = async (_, { t }) => {
  expectEqual(t.leaks(), [], 'secrets that stood in an answer, a frame or a webhook')
}
