// @ts-check
/**
 * Size limits of an oracle's HTTP request. Checked in the guest's thread, so that a huge request
 * never reaches the main thread, and again by the host's fetch. Plain JavaScript, because the run's
 * worker has no loader.
 */
import { types } from 'node:util'

/**
 * Copies the members of the http interface and drops any other that a component's own type may
 * have: the main thread has to deserialize everything that is posted. Called after the size check.
 *
 * @param {any} given as lifted from the guest
 * @returns {import('./hostRequest.ts').HostRequest}
 */
export function plainRequest({ url, method, headers, body }) {
  const plain = {
    url: text(url),
    method: text(method),
    headers: Array.from(
      headers,
      (pair) => /** @type {[string, string]} */ ([text(pair[0]), text(pair[1])]),
    ),
  }
  if (body === undefined) return plain
  if (!types.isUint8Array(body)) throw foreign
  return { ...plain, body }
}

const foreign = 'the request does not match the http interface'

/** @param {unknown} value */
function text(value) {
  if (typeof value !== 'string') throw foreign
  return value
}

/**
 * The message of the first limit that a request exceeds; undefined when it exceeds none.
 * @param {{ url: string, method: string, headers: [string, string][], body?: Uint8Array | undefined }} request
 * @param {import('./requestBounds.mjs').RequestBounds} bounds
 */
export function exceededBound({ url, method, headers, body }, bounds) {
  const urlBytes = Buffer.byteLength(url)
  if (urlBytes > bounds.urlBytes.most) return bounds.urlBytes.text
  if (headers.length > bounds.headers.most) return bounds.headers.text
  const bytes = urlBytes + Buffer.byteLength(method) + sizeOfHeaders(headers) + (body?.length ?? 0)
  return bytes > bounds.bytes.most ? bounds.bytes.text : undefined
}

/** Bytes of all names and values. @param {readonly [string, string][]} headers */
export function sizeOfHeaders(headers) {
  return headers.reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  )
}
