import { parseExact } from '../protocol/exactJson.ts'
import { invalidRequest, parseError } from './errors.ts'

/** The body is larger than allowed; answered with HTTP 413 (decision E9). */
export class BodyTooLarge extends Error {}

/**
 * Reads a body up to a limit. What it says of its length is believed when it is too much, and
 * counted when it is not.
 *
 * @throws BodyTooLarge as soon as it is known; ServiceError -32700 when the sender goes away
 */
export const readBody = async (request: Request, limit: number): Promise<Uint8Array> => {
  if (Number(request.headers.get('content-length')) > limit) throw new BodyTooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength
      if (size > limit) throw new BodyTooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof BodyTooLarge) throw error
    throw parseError('the body ended before it was whole', error)
  }
  return Buffer.concat(chunks)
}

/**
 * Parses a body as JSON in UTF-8, whatever `Content-Type` says: `curl -d` sends another one, and a
 * key in a header is what keeps foreign pages out. Depth and numbers are bounded.
 *
 * @throws ServiceError -32700 `Parse error`
 */
export const parseBody = (bytes: Uint8Array): unknown => {
  try {
    return parseExact(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The parser's message repeats a piece of the body, which may hold a secret.
    throw parseError('the body is not JSON in UTF-8, is nested too deep or has a number too large')
  }
}

/** Bodies are read as they come: a compressed one would only be a parse error that helps nobody. */
export const refuseEncoding = (request: Request): void => {
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw invalidRequest('Content-Encoding is not supported')
}
