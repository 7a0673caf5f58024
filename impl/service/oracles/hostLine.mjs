// @ts-check
/**
 * How the guest of a thread asks its host: the one line out of it, and what may go over it. Plain
 * JavaScript, because the run's worker has no loader.
 */
import { receiveMessageOnPort } from 'node:worker_threads'
import { exceededBound, plainRequest } from './requestBounds.mjs'

/**
 * @typedef {object} Line to the host, of one run
 * @property {import('node:worker_threads').MessagePort} port
 * @property {Int32Array} counter of answers
 */

/** @typedef {{ url: string, method: string, headers: [string, string][], body?: Uint8Array }} HostRequest */

/** @typedef {import('./requestBounds.mjs').RequestBounds} RequestBounds */

/** @type {Line | undefined} */
let line
let calls = 0
/** What the runs of this thread have waited for the host. */
let waitedMs = 0

/** From here on the guest can ask. @param {Line} toHost */
export function openLine(toHost) {
  line = toHost
}

export function closeLine() {
  line = undefined
}

/** Milliseconds, all runs of this thread together. */
export const waitedForHost = () => waitedMs

/**
 * How one run asks the main thread for an HTTP exchange, and sleeps until it has answered. What could
 * keep that thread busy never reaches it: a request that is too large, a call more than a run has.
 * @param {RequestBounds} bounds
 */
export function hostCalls(bounds) {
  /** @type {string | undefined} */
  let refusal
  return (/** @type {HostRequest} */ given) => {
    if (refusal !== undefined) throw refusal
    const exceeded = exceededBound(given, bounds)
    if (exceeded !== undefined) throw exceeded
    const request = plainRequest(given)
    if (!line) throw 'the host does not listen'
    const { port, counter } = line
    const seen = Atomics.load(counter, 0)
    calls += 1
    port.postMessage({ type: 'fetch', call: calls, request })
    const asleep = performance.now()
    Atomics.wait(counter, 0, seen)
    waitedMs += performance.now() - asleep
    const reply = receiveMessageOnPort(port)?.message
    if (reply?.call !== calls) throw 'the host did not answer'
    if (reply.final) refusal = reply.error
    if ('error' in reply) throw reply.error
    return reply.response
  }
}
