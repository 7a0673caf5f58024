import type { OperatorSet } from 'polgate-chain/operatorSet.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import type { OperatorError } from 'polgate-protocol/task.ts'
import type { Operator } from '../operators/operator.ts'
import { operatorUnreachable } from '../operators/operatorErrors.ts'
import { type FaultName, operatorFault } from './operatorFaults.ts'

/** Longest message of one operator that is passed on, characters. */
const longestMessage = 2_000

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
 * What is told of an operator's error: what was not foreseen stays inside. Text of an operator is
 * anybody's: stores refuse some of it (NUL, halves of surrogate pairs), and logs have lines.
 */
export const messageOf = (error: unknown): string =>
  (error instanceof ServiceError ? error.message : 'operator failed')
    .slice(0, longestMessage)
    .replace(unprintable, '\ufffd')

const unprintable = /(?![\n\t])\p{Cc}|\p{Cs}/gu

/** Codes that JSON-RPC sets aside for servers; an operator may tell any number. */
function codeOf(error: ServiceError | undefined): number {
  const { code } = error ?? {}
  const proper = Number.isInteger(code) && code! >= -32_768 && code! <= -32_000
  return proper ? code! : errorCode.internalError
}

/**
 * Divides the operators into those that may work on a task and those that cannot: not registered at
 * its block, connected once more under an id that counts already, or registered and not connected
 * here. Of connections with one id that with the registered account counts, else the first.
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
