import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { EnvelopeError } from '../envelopes/envelopeError.ts'
import { ThresholdError } from '../threshold/thresholdError.ts'

/**
 * An error of a key holder for its gateway. Both error classes contain member names and sizes only,
 * never values.
 */
export const publicKeyShareError = (error: unknown): unknown =>
  error instanceof ThresholdError || error instanceof EnvelopeError
    ? new ServiceError(error.message, {
        code: errorCode.internalError,
        clause: 'section 4.10',
        retryable: error.code === 'run' || error.code === 'shortage',
      })
    : error
