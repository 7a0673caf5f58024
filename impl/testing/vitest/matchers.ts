import { type Checked, checkAllowed, checkDeniedFor, checkSpent } from '../assertions/checks.ts'

type MatcherState = { readonly isNot?: boolean }

/**
 * Matchers for `expect.extend`; importing `polgate-testing/vitest` adds them. All are asynchronous:
 * await them. They take the result of `createTask` or of a simulation, or a promise of it. One that
 * failed is neither allowed nor denied, and fails the opposite expectation as well, as does
 * `toBeDeniedFor` where the reasons of a denial are unknown.
 */
export const matchers = {
  async toBeAllowed(this: MatcherState, task: unknown) {
    return resultOf(this, await checkAllowed(task))
  },
  async toBeDeniedFor(this: MatcherState, task: unknown, reason: string | RegExp) {
    return resultOf(this, await checkDeniedFor(task, reason))
  },
  async toBeSpent(this: MatcherState, task: unknown) {
    return resultOf(this, await checkSpent(task))
  },
}

function resultOf({ isNot = false }: MatcherState, checked: Checked) {
  const { holds, undecided, message, opposite } = checked
  return { pass: undecided ? isNot : holds, message: () => (isNot ? opposite : message) }
}

/** The matchers as methods of `expect(...)`. */
export type StackMatchers = {
  /** The policy allowed it. */
  toBeAllowed(): Promise<void>
  /** The policy denied it with this reason, as a whole text or a pattern, perhaps among others. */
  toBeDeniedFor(reason: string | RegExp): Promise<void>
  /** A contract has used up its attestation. */
  toBeSpent(): Promise<void>
}
