import {
  ForbiddenError,
  InvalidParamsError,
  MethodNotFoundError,
  OwnershipError,
  RateLimitedError,
  UnauthorizedError,
} from '../errors/accessErrors.ts'
import { ContractError } from '../errors/chainErrors.ts'
import type { ClientError, ErrorContext } from '../errors/clientError.ts'
import { IncompatibleVersionError } from '../errors/policyErrors.ts'
import { OracleFailedError, RegoFailedError } from '../errors/taskErrors.ts'
import {
  InternalServiceError,
  RequestRefusedError,
  RequestTooLargeError,
  UnavailableError,
  UnexpectedStatusError,
} from '../errors/transportErrors.ts'
import { errorOfMessage } from './errorOfMessage.ts'

export type RpcErrorObject = { readonly code: number; readonly message: string }

/** `intent.value` of `Invalid request format: intent.value must be ...` (decision E6). */
const memberOf = (message: string): string | undefined =>
  /^Invalid request format: ([A-Za-z_][\w.[\]]*) /.exec(message)?.[1]

/** The error of an HTTP status alone (section 7.4, decisions E8 to E10); undefined for 200. */
export function errorOfStatus(
  status: number,
  context: ErrorContext & { readonly retryAfterMs?: number | undefined },
): ClientError | undefined {
  const { retryAfterMs, ...rest } = context
  if (status === 200) return undefined
  if (status === 401) return new UnauthorizedError(rest)
  if (status === 403) return new ForbiddenError(rest)
  if (status === 413) return new RequestTooLargeError(rest)
  if (status === 429) return new RateLimitedError(context)
  if (status === 500) return new InternalServiceError(rest)
  if (status === 502 || status === 503 || status === 504) return new UnavailableError(context)
  return new UnexpectedStatusError(status, rest)
}

function errorOfCode(
  method: string,
  { code, message }: RpcErrorObject,
  context: ErrorContext,
): ClientError {
  if (code === -32602) return new InvalidParamsError({ ...context, member: memberOf(message) })
  if (code === -32601) return new MethodNotFoundError(method, context)
  if (code === -32603) return new InternalServiceError(context)
  if (code === -32615) return new RegoFailedError(context)
  if (code === -32616) return new ContractError(context)
  if (code === -32618 || code === -32619) return new IncompatibleVersionError(context)
  if (code === -32620) return new OracleFailedError(context)
  if (code === -32001) return new UnauthorizedError(context)
  if (code === -32002) return new OwnershipError(context)
  if (code === -32003) return new ForbiddenError(context)
  if (code === -32005) return new RateLimitedError(context)
  return new RequestRefusedError({ ...context, rpcCode: code })
}

/**
 * The error of an error object: by HTTP status, then by message, then by code (sections 7.1 to 7.4).
 */
export function errorOfAnswer(
  method: string,
  answer: { readonly status: number; readonly error: RpcErrorObject },
  context: ErrorContext & { readonly retryAfterMs?: number | undefined },
): ClientError {
  const { retryAfterMs: _, ...rest } = context
  const told = { ...rest, details: answer.error.message }
  // A task that was not admitted in time is reported as 500 with this message (decision T3).
  const late = answer.status === 500 ? errorOfMessage(told) : undefined
  return (
    late ??
    errorOfStatus(answer.status, { ...context, details: answer.error.message }) ??
    errorOfMessage(told) ??
    errorOfCode(method, answer.error, told)
  )
}
