import { expectEqual } from '../../core/expect.ts'
import type { Invariant } from '../step.ts'

/** Sections 4.1 and 5.3: no response, frame or webhook contains a key or a secret. */
export const nothingLeaks: Invariant = async (_, { t }) => {
  expectEqual(t.leaks(), [], 'secrets found in a response, a frame or a webhook')
}
