import { errorCode } from './jsonRpc.ts'
import { ServiceError } from './serviceError.ts'

/**
 * No operator can take a simulation. The gateway answers it in the form of section 4.4, which is
 * not that of a JSON-RPC error: `{result: null, error: {ServiceUnavailable: message}, id: null}`.
 */
export class ServiceUnavailable extends ServiceError {
  constructor(message = 'No operators available') {
    super(message, {
      code: errorCode.internalError,
      clause: 'section 4.4',
      hint: 'Try again when an operator is registered and running.',
      retryable: true,
    })
  }
}
