import type { OperatorSet } from 'polgate-chain/operatorSet.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import type { OperatorError } from 'polgate-protocol/task.ts'
import type { Operator } from '../operators/operator.ts'
import { operatorUnreachable } from '../operators/operatorErrors.ts'
import { type FaultName, operatorFault } from './operatorFaults.ts'

/** Longest operator message that is passed on, characters. */
const maxMessageLength = 2_000

type Named = { readonly address: Address; readonly id: Bytes32 }

/** An entry of `operator_errors` (decision T14). */
export function operatorError({ address, id }: Named, error: unknown, clock: Clock): OperatorError {
  const known = error instanceof ServiceError ? error : undefined
  return {
    operator_address: address,
    operator_id: id,
    error_code: codeOf(known),
    message: messageOf(error),
    timestamp: new Date(clock()).toISOString(),
    retryable: known?.retryable ?? true,
  }
}

/**
 * The message of an operator error. Unexpected errors are not exposed. Messages of operators are
 * untrusted: control characters and lone surrogates, which stores reject or logs garble, are
 * replaced.
 */
export const messageOf = (error: unknown): string =>
  (error instanceof ServiceError ? error.message : 'operator failed')
    .slice(0, maxMessageLength)
    .replace(unprintable, '\ufffd')

const unprintable = /(?![\n\t])\p{Cc}|\p{Cs}/gu

/** JSON-RPC server error codes only; an operator may send any number. */
function codeOf(error: ServiceError | undefined): number {
  const { code } = error ?? {}
  const proper = Number.isInteger(code) && code! >= -32_768 && code! <= -32_000
  return proper ? code! : errorCode.internalError
}

/**
 * Splits the operators into those that may work on a task and the others: not registered at its
 * reference block, connected twice with the same id, or registered and not connected to this
 * gateway. Of several connections with one id, the one with the registered account counts, else the
 * first.
 */
export function eligibleOperators(
  operators: readonly Operator[],
  set: OperatorSet,
  clock: Clock,
): { readonly eligible: readonly Operator[]; readonly absent: readonly OperatorError[] } {
  const members = new Map(
    set.operators
      .filter(({ stakes }) => stakes.some((stake) => stake > 0n))
      .map(({ operatorId, account }) => [operatorId.toLowerCase(), account]),
  )
  const counting = new Map<string, Operator>()
  for (const operator of operators) {
    const id = operator.id.toLowerCase()
    const known = counting.get(id)
    const isRegistered = ({ address }: Operator) =>
      address.toLowerCase() === members.get(id)?.toLowerCase()
    if (known === undefined || (isRegistered(operator) && !isRegistered(known))) {
      counting.set(id, operator)
    }
  }
  const faultOf = (operator: Operator): FaultName | undefined => {
    const id = operator.id.toLowerCase()
    if (!members.has(id)) return 'notRegistered'
    return counting.get(id) === operator ? undefined : 'connectedTwice'
  }
  const eligible = operators.filter((operator) => faultOf(operator) === undefined)
  const absent = [
    ...operators.flatMap((operator) => {
      const fault = faultOf(operator)
      return fault === undefined ? [] : [operatorError(operator, operatorFault(fault), clock)]
    }),
    ...[...members]
      .filter(([id]) => !counting.has(id))
      .map(([id, address]) =>
        operatorError(
          { address, id: id as Bytes32 },
          operatorUnreachable('not connected to this gateway'),
          clock,
        ),
      ),
  ]
  return { eligible, absent }
}
