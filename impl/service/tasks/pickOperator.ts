import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { ServiceUnavailable } from 'polgate-protocol/serviceUnavailable.ts'
import type { Operator } from '../operators/operator.ts'

/**
 * Calls one operator, round-robin; falls back to the next if it is unreachable or does not answer.
 *
 * @throws ServiceUnavailable when no operator answers (section 4.4)
 */
export type CallOperator = <Answer>(
  call: (operator: Operator, signal: AbortSignal) => Promise<Answer>,
) => Promise<Answer>

export type RoundRobinOptions = {
  readonly operators: readonly Operator[]
  readonly clock: Clock
  /** Timeout of one operator while there is another to fall back to, milliseconds. */
  readonly attemptMs?: number
}

/** How long an operator that did not answer is tried last, milliseconds. */
const suspectMs = 30_000

/** @returns an `CallOperator` for one request, which ends when its signal aborts */
export function roundRobin({
  operators,
  clock,
  attemptMs = 10_000,
}: RoundRobinOptions): (work: {
  readonly signal: AbortSignal
  readonly among?: ((operator: Operator) => boolean) | undefined
}) => CallOperator {
  const suspects = new Map<Operator, number>()
  let turn = 0

  function inTurn(among: (operator: Operator) => boolean): Operator[] {
    const first = turn++
    const isSuspect = (operator: Operator) => (suspects.get(operator) ?? 0) > clock()
    const all = operators.map((_, at) => operators[(first + at) % operators.length]!).filter(among)
    return [...all.filter((each) => !isSuspect(each)), ...all.filter(isSuspect)]
  }

  return ({ signal, among = () => true }) =>
    async (call) => {
      for (const operator of inTurn(among)) {
        const attempt = linkedSignal(signal)
        attempt.abortAfter(attemptMs, () => new Error('no answer in time'))
        try {
          attempt.signal.throwIfAborted()
          const answer = await unlessAborted(attempt.signal, call(operator, attempt.signal))
          suspects.delete(operator)
          return answer
        } catch (error) {
          signal.throwIfAborted()
          if (!attempt.signal.aborted && !isUnreachable(error)) throw error
          suspects.set(operator, clock() + suspectMs)
        } finally {
          attempt.release()
        }
      }
      throw new ServiceUnavailable()
    }
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof ServiceError && error.message.startsWith('operator unreachable')
