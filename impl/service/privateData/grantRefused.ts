import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'

/** A member does not take part in an opening; `what` contains no private data. */
export const grantRefused = (what: string, retryable = false) =>
  new ServiceError(`operator refuses: ${what}`, {
    code: errorCode.contract,
    clause: 'section 4.10',
    hint: 'Compare link, grant and registration on chain at the block of the task and now.',
    retryable,
  })
