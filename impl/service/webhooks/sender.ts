import http from 'node:http'
import https from 'node:https'
import { isLoopbackAddress } from '../net/addressGuard.ts'
import {
  EgressError,
  type Lookup,
  nameServerAddresses,
  onlyAddresses,
  publicOnly,
  socketLookup,
  systemAddresses,
} from '../net/guardedLookup.ts'
import type { Target } from './target.ts'

export type Delivery = {
  readonly target: Target
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Ends the whole exchange, not only a silence in it. */
  readonly signal: AbortSignal
}

export type Answer = { readonly status: number; readonly retryAfter: string | undefined }

/** One POST. Rejects when no status line came: refused, unreachable, reset, or ended by the signal. */
export type Send = (delivery: Delivery) => Promise<Answer>

/** A receiver's answer is its status: of the body so much is read as a polite client would. */
const maxAnswerBytes = 16 * 1024

/**
 * Sends over a connection of its own: the name is resolved and its addresses are checked at every
 * delivery, and a connection kept from an earlier one cannot break just when it is used again.
 * Redirects are answers like any other; they are not followed.
 */
export function createSender(options: { readonly lookup?: Lookup | undefined } = {}): Send {
  const outside = socketLookup(publicOnly(options.lookup ?? nameServerAddresses()))
  const inside = socketLookup(onlyAddresses(systemAddresses, isLoopbackAddress))
  return ({ target: { url, loopback }, headers, body, signal }) =>
    new Promise((fulfil, reject) => {
      // The property of the module, where test tools put theirs.
      const send = url.protocol === 'https:' ? https.request : http.request
      const request = send(url, {
        method: 'POST',
        agent: false,
        lookup: loopback ? inside : outside,
        signal,
        headers: { ...headers, 'content-length': body.length, connection: 'close' },
      })
      let answer: Answer | undefined
      const end = () => {
        if (answer !== undefined) fulfil(answer)
        request.destroy()
      }
      // Once the status has come, what becomes of the rest changes nothing.
      request.on('error', (error) => (answer === undefined ? reject(error) : end()))
      request.on('response', (response) => {
        const { statusCode: status = 0, headers } = response
        answer = { status, retryAfter: headers['retry-after'] }
        let left = maxAnswerBytes
        response.on('data', (chunk: Uint8Array) => {
          left -= chunk.length
          if (left < 0) end()
        })
        response.on('end', end)
        response.on('close', end)
        response.on('error', end)
      })
      request.end(body)
    })
}

/** What may be told of a failed exchange: a code, never an address, a path or a header. */
export function failureText(error: unknown): string {
  for (let each = error, n = 0; each instanceof Error && n < 5; each = each.cause, n++) {
    if (each instanceof EgressError) return each.message
    const { code } = each as { code?: unknown }
    if (typeof code === 'string') return `no answer: ${code}`
  }
  return 'no answer'
}
