// @ts-check
/**
 * The only channel from a guest's thread to its host, and checks of what may be sent over it. Plain
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
/** Time that the runs of this thread have waited for the host. */
let waitedMs = 0

/** Enables host calls of the guest. @param {Line} toHost */
export function openLine(toHost) {
  line = toHost
}

export function closeLine() {
  line = undefined
}

/** Milliseconds, over all runs of this thread. */
export const waitedForHost = () => waitedMs

/**
 * The HTTP calls of one run: sends a request to the main thread and sleeps until it has answered.
 * Too large requests and calls over the limit are rejected here, so that they cannot keep that
 * thread busy.
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
    if (!line) throw 'the host is not listening'
    const { port, counter } = line
    const seen = Atomics.load(counter, 0)
    calls += 1
    port.postMessage({ type: 'fetch', call: calls, request })
    const asleep = performance.now()
    Atomics.wait(counter, 0, seen)
    waitedMs += performance.now() - asleep
    const reply = receiveMessageOnPort(port)?.message
    if (reply?.call !== calls) throw 'the host did not respond'
    if (reply.final) refusal = reply.error
    if ('error' in reply) throw reply.error
    return reply.response
  }
}
