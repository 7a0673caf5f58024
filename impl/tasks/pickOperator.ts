import type { Operator } from '../operators/operator.ts'
import { ServiceError } from '../protocol/serviceError.ts'
import { ServiceUnavailable } from '../protocol/serviceUnavailable.ts'

/** Asks one operator, taking turns; the next one where it cannot be reached. */
export type AskOperator = <Answer>(call: (operator: Operator) => Promise<Answer>) => Promise<Answer>

/** @throws ServiceUnavailable when none can be reached (section 4.4) */
export function takeTurns(operators: readonly Operator[]): AskOperator {
  let turn = 0
  return async (call) => {
    const first = turn++
    for (let at = 0; at < operators.length; at++) {
      const operator = operators[(first + at) % operators.length]!
      try {
        return await call(operator)
      } catch (error) {
        if (!isUnreachable(error)) throw error
      }
    }
    throw new ServiceUnavailable()
  }
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof ServiceError && error.message.startsWith('operator unreachable')
