import type { Context, MiddlewareHandler } from 'hono'
import { type Clock, monotonicClock } from 'polgate-protocol/clock.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { challengeIn, createChallenge } from './challenge.ts'
import { sameText } from './messageSignature.ts'
import { createNonceMemory, type NonceState } from './nonceMemory.ts'
import { operatorBusy } from './operatorErrors.ts'
import {
  clockSkewSeconds,
  type ParsedSignature,
  parseSignature,
  partsOf,
  type RequestParts,
  signResponse,
  verifyRequest,
} from './operatorSignature.ts'
import { operatorPaths, type Refusal, refusals, toWireError } from './wire.ts'

export type RequestGateOptions = {
  readonly address: Address
  /** The current secret, and during a rotation the previous one. */
  readonly secrets: readonly string[]
  readonly clock: Clock
  /** Maximum number of concurrent calls; further ones get `operator busy`. */
  readonly maxCalls: number
}

/**
 * Accepts each request signed by the gateway once, and signs the response. A request without a
 * valid signature gets only the reason for its rejection, and its body is not read.
 */
export function requestGate(options: RequestGateOptions): MiddlewareHandler {
  const { secrets, clock, maxCalls } = options
  const address = options.address.toLowerCase()
  // A margin for clocks that are adjusted slowly.
  const keepSeconds = 2 * clockSkewSeconds + 2
  // Nonces are not persisted, so signatures from before the start are rejected.
  const unchallenged = createNonceMemory({ keepSeconds, since: Math.floor(clock() / 1000) })
  let challenge = createChallenge()
  let challenged = createNonceMemory({ keepSeconds })
  let calls = 0

  /** The secret of the request's signature, or the reason to reject it. */
  function admit(
    request: RequestParts,
    signature: ParsedSignature | undefined,
  ): { readonly secret: string } | Refusal | 'busy' | 'challenged' {
    if (signature === undefined) return 'unsigned'
    const [secret] = secrets.filter((each) => verifyRequest(each, request, signature))
    if (secret === undefined) return 'badSignature'
    const now = clock() / 1000
    const { created, keyid, nonce } = signature
    if (Math.abs(now - created) > clockSkewSeconds) return 'tooOld'
    if (keyid !== address && request.path !== operatorPaths.identity) return 'otherOperator'
    const state = stateOf(nonce, created)
    if (state === 'fresh') return { secret }
    if (state === 'replayed') return state
    return state === 'full' ? 'busy' : 'challenged'
  }

  /**
   * Whether the request is the first of its nonce. Where the memory cannot tell, because the clock went back or
   * this process has just started, only a request that has the challenge is.
   */
  function stateOf(nonce: string, created: number): NonceState {
    const answered = challengeIn(nonce)
    const now = monotonicClock() / 1000
    if (answered === undefined) return unchallenged.add(nonce, created, now)
    if (answered !== challenge) return 'forgotten'
    const state = challenged.add(nonce, created, now)
    if (state === 'forgotten') {
      challenge = createChallenge()
      challenged = createNonceMemory({ keepSeconds })
    }
    return state
  }

  return async (c, next) => {
    const headers = Object.fromEntries(c.req.raw.headers)
    const request = {
      method: c.req.method,
      path: new URL(c.req.url).pathname,
      contentType: headers['content-type'] ?? '',
      contentDigest: headers['content-digest'] ?? '',
    }
    const signature = parseSignature(headers)
    const admitted = admit(request, signature)
    if (admitted === 'busy') return c.json({ error: toWireError(operatorBusy()) }, 503)
    if (admitted === 'challenged') return c.json({ error: refusals.tooOld, challenge }, 401)
    if (typeof admitted === 'string') return c.json({ error: refusals[admitted] }, 401)
    calls += 1
    try {
      if (calls > maxCalls) {
        c.res = c.json({ error: toWireError(operatorBusy()) })
      } else {
        await next()
      }
      const nonce = signature?.nonce ?? ''
      c.res = await signedAnswer(c.res, admitted.secret, request, {
        created: Math.floor(clock() / 1000),
        nonce,
        keyid: address,
      })
    } finally {
      calls -= 1
    }
  }
}

async function signedAnswer(
  response: Response,
  secret: string,
  request: RequestParts,
  params: Parameters<typeof signResponse>[2],
): Promise<Response> {
  const body = new Uint8Array(await response.arrayBuffer())
  const contentType = response.headers.get('content-type') ?? 'application/octet-stream'
  const { contentDigest } = partsOf('', '', contentType, body)
  const { status } = response
  const answer = { status, contentType, contentDigest, request }
  return new Response(body, { status, headers: signResponse(secret, answer, params) })
}

/** Checks the body against the signed digest; runs after the size limit. */
export const bodyGate: MiddlewareHandler = async (c: Context, next) => {
  const body = new Uint8Array(await c.req.arrayBuffer())
  const { contentDigest } = partsOf('', '', '', body)
  if (sameText(contentDigest, c.req.header('content-digest') ?? '')) return next()
  return c.json({ error: refusals.wrongDigest }, 401)
}
