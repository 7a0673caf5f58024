import { errorCode } from './jsonRpc.ts'
import { ServiceError } from './serviceError.ts'

/**
 * No operator is available for a simulation. The gateway returns it in the form of section 4.4, not
 * as a JSON-RPC error: `{result: null, error: {ServiceUnavailable: message}, id: null}`.
 */
export class ServiceUnavailable extends ServiceError {
  constructor(message = 'No operators available') {
    super(message, {
      code: errorCode.internalError,
      clause: 'section 4.4',
      hint: 'Retry when an operator is registered and running.',
      retryable: true,
    })
  }
}
