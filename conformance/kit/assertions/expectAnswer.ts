import type { Answer } from '../../core/answer.ts'
import {
  expectEqual,
  expectFinding,
  expectMatch,
  expectObject,
  expectThat,
  isObject,
  type JsonObject,
} from '../../core/expect.ts'
import { shownAnswer } from './shownAnswer.ts'

/** Why a value is not a JSON-RPC response; undefined if it is one. */
function envelopeFault(json: unknown): string | undefined {
  if (json === undefined) return 'the response is not JSON'
  if (!isObject(json)) return 'the response is not a JSON object'
  if (json.jsonrpc !== '2.0') return 'jsonrpc of the response is not "2.0"'
  if (!('id' in json)) return 'the response has no id'
  if ('result' in json && 'error' in json) return 'the response has both a result and an error'
  return 'result' in json || 'error' in json ? undefined : 'the response has no result and no error'
}

/**
 * A valid JSON-RPC response (section 4.1): the version, the id, and exactly one of result and
 * error, the error with a numeric code and a message.
 */
export function expectEnvelope(answer: Answer): JsonObject {
  const { json } = answer
  const fault = envelopeFault(json)
  expectFinding(
    fault === undefined && isObject(json),
    fault ?? '',
    'a JSON-RPC 2.0 object with an id and either result or error',
    shownAnswer(answer),
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
  expectThat(answer.status === 200, 'the HTTP status', 200, shownAnswer(answer))
  expectFinding('result' in envelope, 'the call was refused', 'a result', shownAnswer(answer))
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
  const codes = Array.isArray(expected.code) ? expected.code : [expected.code]
  const wanted = `${codes.join(' or ')}, in an error object`
  expectFinding('error' in envelope, 'the call was not refused', wanted, shownAnswer(answer))
  const error = envelope.error as JsonObject
  expectThat(codes.includes(error.code), 'the error code', wanted, error)
  if (expected.message !== undefined)
    expectMatch(error.message, expected.message, 'the error message')
  const statuses = expected.status ?? [200]
  expectThat(
    statuses.includes(answer.status),
    'the HTTP status',
    statuses.join(' or '),
    shownAnswer(answer),
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
  expectFinding(
    result.success === false,
    'the operation did not fail',
    'a failure',
    shownAnswer(answer),
  )
  expectMatch(result.error, message, 'result.error')
  return result
}
