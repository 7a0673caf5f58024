import type { Answer } from '../../core/answer.ts'
import {
  expectEqual,
  expectMatch,
  expectObject,
  expectThat,
  isObject,
  type JsonObject,
  show,
} from '../../core/expect.ts'

const statusAndBody = (answer: Answer) => `HTTP ${answer.status}: ${show(answer.exchange.body)}`

/**
 * A valid JSON-RPC response (section 4.1): the version, the id, and exactly one of result and
 * error, the error with a numeric code and a message.
 */
export function expectEnvelope(answer: Answer): JsonObject {
  const { json } = answer
  expectThat(
    isObject(json) &&
      json.jsonrpc === '2.0' &&
      'id' in json &&
      'result' in json !== 'error' in json,
    'the response',
    'a JSON-RPC 2.0 object with an id and either result or error',
    statusAndBody(answer),
  )
  if ('error' in json) {
    const error = json.error
    expectThat(
      isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string',
      'the error object',
      'an integer code and a message',
      json.error,
    )
  }
  return json
}

/** A result with HTTP 200 and the id of the request. */
export function expectResult(answer: Answer): unknown {
  const envelope = expectEnvelope(answer)
  expectThat(answer.status === 200, 'the HTTP status', 200, statusAndBody(answer))
  expectThat('result' in envelope, 'the response', 'a result', statusAndBody(answer))
  expectEqual(envelope.id, answer.id, 'the id of the response')
  return envelope.result
}

/** A result that is an object. */
export function expectResultObject(answer: Answer): JsonObject {
  const result = expectResult(answer)
  expectObject(result, 'the result')
  return result
}

export type ExpectedError = {
  readonly code: number | readonly number[]
  readonly message?: RegExp
  /** Accepted HTTP statuses; only 200 by default. */
  readonly status?: readonly number[]
}

/** An error object with the expected code and message. */
export function expectError(answer: Answer, expected: ExpectedError): JsonObject {
  const envelope = expectEnvelope(answer)
  expectThat('error' in envelope, 'the response', 'an error object', statusAndBody(answer))
  const error = envelope.error as JsonObject
  const codes = Array.isArray(expected.code) ? expected.code : [expected.code]
  expectThat(
    codes.includes(error.code),
    'the error code',
    `${codes.join(' or ')}, in an error object`,
    error,
  )
  if (expected.message !== undefined)
    expectMatch(error.message, expected.message, 'the error message')
  const statuses = expected.status ?? [200]
  expectThat(
    statuses.includes(answer.status),
    'the HTTP status',
    statuses.join(' or '),
    answer.status,
  )
  return error
}

/** A result whose `success` is true; `what` names the operation. */
export function expectSuccess(answer: Answer, what: string): JsonObject {
  const result = expectResultObject(answer)
  expectEqual(
    { success: result.success, error: result.error ?? null },
    { success: true, error: null },
    what,
  )
  return result
}

/** A result whose `success` is false and whose `error` gives the reason (sections 4.1, 7.3). */
export function expectOperationalFailure(answer: Answer, message: RegExp): JsonObject {
  const result = expectResultObject(answer)
  expectEqual(result.success, false, 'result.success')
  expectMatch(result.error, message, 'result.error')
  return result
}
