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
  /** The number of this attempt, from 1. */
  readonly attempt: number
  /** Limits the whole exchange, not only inactivity. */
  readonly signal: AbortSignal
}

export type Answer = { readonly status: number; readonly retryAfter: string | undefined }

/** One POST. Rejects if there is no status line: refused, unreachable, reset, or aborted. */
export type Send = (delivery: Delivery) => Promise<Answer>

/** Only the status matters: this much of the body is read as a courtesy. */
const maxAnswerBytes = 16 * 1024

/**
 * Uses a new connection for every delivery: the name is resolved and its addresses are checked each
 * time, and a kept-alive connection cannot break on reuse. Redirects are not followed.
 */
export function createSender(options: { readonly lookup?: Lookup | undefined } = {}): Send {
  const outside = socketLookup(publicOnly(options.lookup ?? nameServerAddresses()))
  const inside = socketLookup(onlyAddresses(systemAddresses, isLoopbackAddress))
  return ({ target: { url, loopback }, headers, body, signal }) =>
    new Promise((fulfil, reject) => {
      // Accessed on the module, where test tools patch it.
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
      // After the status, the outcome of the rest does not matter.
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

/** The public text of a failed exchange: a code, never an address, a path or a header. */
export function failureText(error: unknown): string {
  for (let each = error, n = 0; each instanceof Error && n < 5; each = each.cause, n++) {
    if (each instanceof EgressError) return each.message
    const { code } = each as { code?: unknown }
    if (typeof code === 'string') return `no answer: ${code}`
  }
  return 'no answer'
}
