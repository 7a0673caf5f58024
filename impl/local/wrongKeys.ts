import { randomBytes } from 'node:crypto'
import { blsKey } from 'polgate-service/attestation/bls.ts'
import { responseDigest } from 'polgate-service/attestation/digest.ts'
import type { Operator } from 'polgate-service/operators/operator.ts'
import { taskResponseOf } from 'polgate-service/operators/taskResponse.ts'
import { toHex } from 'viem'

/** Operators of a stack that sign with another key than the one that is registered for them. */
export type WrongKeys = {
  readonly around: (operator: Operator) => Operator
  /** @param operator its address */
  set(operator: string, wrong: boolean): void
}

/**
 * An operator that was started with another key is the usual cause of signatures that do not verify
 * (section 6.3, `signature_verification_failed`); this one evaluates as before.
 */
export function createWrongKeys(): WrongKeys {
  const wrong = new Set<string>()
  const key = blsKey(randomBytes(32))
  return {
    around: (operator) => ({
      ...operator,
      async sign(request, signal) {
        const answer = await operator.sign(request, signal)
        if (!wrong.has(operator.address.toLowerCase())) return answer
        const { draft, evaluation } = request
        const response = taskResponseOf(draft, evaluation.intent, answer.evaluationResult)
        const { X, Y } = key.sign(responseDigest(response))
        return { ...answer, signature: { X: toHex(X), Y: toHex(Y) } }
      },
    }),
    set(operator, isWrong) {
      if (isWrong) wrong.add(operator.toLowerCase())
      else wrong.delete(operator.toLowerCase())
    },
  }
}
