import type { OperatorSet } from '../../chain/operatorSet.ts'
import type { Operator } from '../operators/operator.ts'
import { operatorUnreachable } from '../operators/operatorErrors.ts'
import type { Clock } from '../protocol/clock.ts'
import { errorCode } from '../protocol/jsonRpc.ts'
import type { Address, Bytes32 } from '../protocol/scalars.ts'
import { ServiceError } from '../protocol/serviceError.ts'
import type { OperatorError } from '../protocol/task.ts'

/** Longest message of one operator that is passed on, characters. */
const longestMessage = 2_000

type Named = { readonly address: Address; readonly id: Bytes32 }

/** An entry of `operator_errors` (decision T14). */
export function operatorError({ address, id }: Named, error: unknown, clock: Clock): OperatorError {
  const known = error instanceof ServiceError ? error : undefined
  return {
    operator_address: address,
    operator_id: id,
    error_code: known?.code ?? errorCode.internalError,
    message: messageOf(error),
    timestamp: new Date(clock()).toISOString(),
    retryable: known?.retryable ?? true,
  }
}

/** What is told of an operator's error: what was not foreseen stays inside. */
export const messageOf = (error: unknown): string =>
  (error instanceof ServiceError ? error.message : 'operator failed').slice(0, longestMessage)

/** The others had decided it when this one had still not answered. */
export const noAnswer = () => operatorUnreachable('no answer in time')

/** What the operator saw is not what the others saw; another moment may make it so (decision T8). */
export const dataDeviates = (reason: string) =>
  new ServiceError(reason, {
    code: errorCode.dataProvider,
    clause: 'decision T8',
    hint: 'Compare the sources that the operators ask.',
    retryable: true,
  })

/** The operator's signature is not one of its registered key over the agreed response. */
export const signatureRefused = (reason: string) =>
  new ServiceError(`operator signature refused: ${reason}`, {
    code: errorCode.internalError,
    clause: 'decision C2',
    hint: 'Compare the key of the operator with its registration.',
  })

const notRegistered = () =>
  new ServiceError('operator is not registered for the quorums of the task', {
    code: errorCode.operatorNotRegistered,
    clause: 'section 7.2',
    hint: 'Register the operator, or name a quorum that it is in.',
  })

/**
 * Divides the operators into those that may work on a task and those that cannot: not registered at
 * its block, or registered and not connected here.
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
  const eligible = operators.filter(({ id }) => members.has(id.toLowerCase()))
  const connected = new Set(eligible.map(({ id }) => id.toLowerCase()))
  const absent = [
    ...operators
      .filter(({ id }) => !members.has(id.toLowerCase()))
      .map((operator) => operatorError(operator, notRegistered(), clock)),
    ...[...members]
      .filter(([id]) => !connected.has(id))
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
