import { AssertionError } from 'node:assert'
import { type Checked, checkAllowed, checkDeniedFor, checkSpent } from './checks.ts'

/**
 * The matchers as functions, for test runners other than vitest. Each takes the result of
 * `createTask` or of a simulation, or a promise of it.
 *
 * @throws AssertionError with decision, deny reasons and operator errors
 */
export const assertAllowed = async (task: unknown): Promise<void> => hold(await checkAllowed(task))

/** @param reason the whole text of a deny reason, or a pattern */
export const assertDeniedFor = async (task: unknown, reason: string | RegExp): Promise<void> =>
  hold(await checkDeniedFor(task, reason))

export const assertSpent = async (task: unknown): Promise<void> => hold(await checkSpent(task))

function hold({ holds, message }: Checked): void {
  if (!holds) throw new AssertionError({ message })
}
