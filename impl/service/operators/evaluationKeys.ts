import { createHmac, randomBytes } from 'node:crypto'
import type { PolicyEvaluation } from './policyEvaluator.ts'

/**
 * Keys of evaluations, equal for equal ones. Of private data there is only a digest in them, with a secret of
 * this process, so that few possible values cannot be tried.
 */
export function evaluationKeys(): (evaluation: PolicyEvaluation) => string {
  const secret = randomBytes(32)
  return ({ privateData, ...evaluation }) => {
    if (privateData === undefined) return JSON.stringify(evaluation)
    const digest = createHmac('sha256', secret).update(privateData).digest('base64')
    return JSON.stringify({ ...evaluation, privateData: digest })
  }
}
