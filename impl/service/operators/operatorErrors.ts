import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'

/**
 * The operator does not answer: killed, stopped, or a network failure. A later call may succeed,
 * unless the configuration of gateway or operator is wrong.
 */
export const operatorUnreachable = (why: string, cause?: unknown, retryable = true) =>
  new ServiceError(`operator unreachable: ${why}`, {
    code: errorCode.internalError,
    clause: 'section 2.5',
    hint: retryable
      ? 'Start the operator, or send the task again once it is back.'
      : 'Compare url, address, id and token of the operator with its own configuration.',
    retryable,
    cause,
  })

export const isUnreachable = (error: unknown): boolean =>
  error instanceof ServiceError && error.message.startsWith('operator unreachable: ')

/** The operator's queue is full; a later call may succeed. */
export const operatorBusy = () =>
  new ServiceError('operator busy: too many calls are waiting', {
    code: errorCode.dataProvider,
    clause: 'section 7.2',
    hint: 'Try again in a moment.',
    retryable: true,
  })

/**
 * An oracle failed on this operator; `message` starts with `WASM execution failed` (decision R7).
 */
export const oracleFailed = (message: string, retryable: boolean, cause?: unknown) =>
  new ServiceError(message, {
    code: errorCode.dataProvider,
    clause: 'section 7.2, decision R7',
    hint: 'Run the oracle alone with `polgate policy-data simulate`.',
    retryable,
    cause,
  })

/** The policy could not be evaluated (section 7.3). */
export const regoFailed = (details: string, cause?: unknown, retryable = false) =>
  new ServiceError(`Rego evaluation failed: ${details}`, {
    code: errorCode.policyEvaluation,
    clause: 'section 7.3',
    hint: 'Evaluate the policy alone with `polgate regorus eval`.',
    retryable,
    cause,
  })

/**
 * A request does not match the chain as seen by the operator's node. A later call may succeed if
 * that node is behind or the chain has advanced.
 */
export const chainDisagrees = (what: string, retryable: boolean, cause?: unknown) =>
  new ServiceError(`operator refuses: ${what}`, {
    code: errorCode.contract,
    clause: 'section 7.2',
    hint: 'Compare the nodes and contracts in the configurations of gateway and operator.',
    retryable,
    cause,
  })

/** Private data that cannot be opened or read; `what` never contains any of it (section 4.10). */
export const privateDataFailed = (what: string, retryable: boolean, cause?: unknown) =>
  new ServiceError(`Private data failed: ${what}`, {
    code: errorCode.dataProvider,
    clause: 'section 4.10',
    hint: retryable
      ? 'Send the task again; if it fails again, start the operators that are down.'
      : 'Compare registrations, links and grants on chain with what was uploaded.',
    retryable,
    cause,
  })
