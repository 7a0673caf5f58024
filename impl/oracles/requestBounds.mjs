// @ts-check
/**
 * The sizes of an oracle's HTTP request. Checked in the thread of the guest, so that a request of a
 * hundred megabytes never reaches the thread that serves everybody, and once more by the host's
 * fetch. Plain JavaScript, because the run's worker has no loader.
 */

/**
 * The text for the first bound that a request exceeds; undefined when it exceeds none.
 * @param {{ url: string, headers: [string, string][], body?: Uint8Array | undefined }} request
 * @param {import('./requestBounds.mjs').RequestBounds} bounds
 */
export function exceededBound({ url, headers, body }, bounds) {
  const urlBytes = Buffer.byteLength(url)
  if (urlBytes > bounds.urlBytes.most) return bounds.urlBytes.text
  if (headers.length > bounds.headers.most) return bounds.headers.text
  const bytes = urlBytes + sizeOfHeaders(headers) + (body?.length ?? 0)
  return bytes > bounds.bytes.most ? bounds.bytes.text : undefined
}

/** Bytes of all names and values. @param {readonly [string, string][]} headers */
export function sizeOfHeaders(headers) {
  return headers.reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  )
}
