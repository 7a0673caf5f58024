import { isChallenge } from './challenge.ts'
import type { Answer } from './exchange.ts'
import { operatorUnreachable } from './operatorErrors.ts'
import {
  parseSignature,
  partsOf,
  type RequestParts,
  type SignatureParams,
  verifyResponse,
} from './operatorSignature.ts'
import { jsonType, type Refusal, refusals } from './wire.ts'

export type AnsweredRequest = {
  readonly secret: string
  readonly request: RequestParts
  readonly params: SignatureParams
  /** Whether another operator may answer, in order to identify itself. */
  readonly byAnyone: boolean
}

/**
 * The content of an answer that is verified to be the operator's answer to this request. Responses
 * of others in between, such as a proxy, are reported as unreachable.
 *
 * @throws ServiceError `operator unreachable: ...`
 */
export function contentOf(answer: Answer, asked: AnsweredRequest): { readonly answer?: unknown } {
  const { status, body } = answer
  if (status === 401) throw refused(body)
  checkSignature(answer, asked)
  if (status === 404) throw operatorUnreachable(unknownCall)
  if (status !== 200) throw operatorUnreachable(`HTTP ${status}`)
  if (answer.headers['content-type'] !== jsonType) throw operatorUnreachable(notJson)
  const content = parsed(body)
  if (typeof content !== 'object' || content === null) throw operatorUnreachable(notJson)
  return content
}

const notJson = 'its answer is not a JSON object'
/** A signed 404: the operator answers, and does not have the endpoint. */
export const unknownCall = 'it does not support this call'

function checkSignature({ status, headers, body }: Answer, asked: AnsweredRequest): void {
  const { secret, request, params, byAnyone } = asked
  const signature = parseSignature(headers)
  if (signature === undefined) {
    throw operatorUnreachable(status === 200 ? 'its answer is not signed' : `HTTP ${status}`)
  }
  const contentType = headers['content-type']
  if (typeof contentType !== 'string') throw operatorUnreachable('its answer has no content type')
  const { contentDigest } = partsOf('', '', contentType, body)
  if (headers['content-digest'] !== contentDigest) {
    throw operatorUnreachable('its answer does not match its signed digest')
  }
  const response = { status, contentType, contentDigest, request }
  if (!verifyResponse(secret, response, signature)) {
    throw operatorUnreachable('its answer is not signed with the shared secret')
  }
  if (signature.nonce !== params.nonce || (signature.keyid !== params.keyid && !byAnyone)) {
    throw operatorUnreachable('its answer is for another request')
  }
}

/** What the operator wants in the nonce of its requests; the request was not processed. */
export function challengeOf({ status, body }: Answer): string | undefined {
  if (status !== 401) return undefined
  const { challenge } = (parsed(body.subarray(0, 1_000)) ?? {}) as { readonly challenge?: unknown }
  return isChallenge(challenge) ? challenge : undefined
}

/** Passes on known texts only: any server can respond 401. */
function refused(body: Buffer): Error {
  const told = (parsed(body.subarray(0, 1_000)) ?? {}) as { readonly error?: unknown }
  const known = Object.entries(refusals).find(([, text]) => text === told.error)
  if (known === undefined) return operatorUnreachable('HTTP 401')
  const [refusal, text] = known as [Refusal, string]
  return operatorUnreachable(`it refused the call: ${text}`, undefined, passing.includes(refusal))
}

/** Retryable reasons; the others need a change of configuration. */
const passing: readonly Refusal[] = ['tooOld', 'replayed']

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
