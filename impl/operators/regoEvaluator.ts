import type { Brand } from '../protocol/brand.ts'
import { regoFailed } from './operatorErrors.ts'
import type { PolicyEvaluator } from './policyEvaluator.ts'
import { createPolicyRunner, PolicyError } from './policyRunner.ts'

/** Decisions, section 9. */
const deadlineMs = 2_000

export function createRegoEvaluator({ brand }: { readonly brand: Brand }): PolicyEvaluator {
  const runner = createPolicyRunner({ namespace: brand.regoNamespace, deadlineMs })
  return {
    async evaluate(evaluation) {
      try {
        return runner.run(evaluation)
      } catch (error) {
        throw error instanceof PolicyError ? regoFailed(error.message, error) : error
      }
    },
    async close() {},
  }
}
