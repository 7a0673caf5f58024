// @ts-check
/**
 * The sizes of an oracle's HTTP request. Checked in the thread of the guest, so that a request of a
 * hundred megabytes never reaches the thread that serves everybody, and once more by the host's
 * fetch. Plain JavaScript, because the run's worker has no loader.
 */
import { types } from 'node:util'

/**
 * The request that the http interface knows, and nothing that a component's own notion of it has more:
 * whatever is posted, the thread that serves everybody has to read. Comes after its bounds.
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

const foreign = 'the request is none of the http interface'

/** @param {unknown} value */
function text(value) {
  if (typeof value !== 'string') throw foreign
  return value
}

/**
 * The text for the first bound that a request exceeds; undefined when it exceeds none.
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
