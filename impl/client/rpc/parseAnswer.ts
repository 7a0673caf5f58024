import type { ErrorContext } from '../errors/clientError.ts'
import { ResponseMalformedError, UnavailableError } from '../errors/transportErrors.ts'
import type { Answer } from '../transport/exchange.ts'
import { retryAfterMs } from '../transport/retryAfter.ts'
import { errorOfAnswer, errorOfStatus, type RpcErrorObject } from './errorOfAnswer.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isErrorObject = (value: unknown): value is RpcErrorObject =>
  isObject(value) && typeof value.code === 'number' && typeof value.message === 'string'

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What section 4.4 answers instead of an error object. */
const unavailableOf = (error: unknown): string | undefined =>
  isObject(error) && typeof error.ServiceUnavailable === 'string'
    ? error.ServiceUnavailable
    : undefined

/**
 * The result of a JSON-RPC answer (section 4.1).
 *
 * @throws the error that the answer reports; ResponseMalformedError
 */
export function parseAnswer(
  method: string,
  id: string,
  answer: Answer,
  context: ErrorContext,
): unknown {
  const { status, headers, text } = answer
  const told = { ...context, retryAfterMs: retryAfterMs(headers.get('retry-after')) }
  const value = parseJson(text)
  const body = isObject(value) ? value : undefined
  const message = unavailableOf(body?.error)
  if (message !== undefined) throw new UnavailableError({ ...context, details: message })
  if (isErrorObject(body?.error)) throw errorOfAnswer(method, { status, error: body.error }, told)
  const failure = errorOfStatus(status, told)
  if (failure !== undefined) throw failure
  if (value === undefined) throw new ResponseMalformedError('it is not JSON', context)
  if (body?.jsonrpc !== '2.0' || body.result === undefined)
    throw new ResponseMalformedError('it is not a JSON-RPC response', context)
  if (body.id !== id) throw new ResponseMalformedError('it has the id of another request', context)
  // Some gateways answer null for what they do not have.
  if (body.result !== null && !isObject(body.result))
    throw new ResponseMalformedError('its result is not an object', context)
  return body.result
}
