import { parseExact } from '../protocol/exactJson.ts'
import { invalidRequest, parseError } from './errors.ts'

/** The body is larger than allowed; answered with HTTP 413 (decision E9). */
export class BodyTooLarge extends Error {}

/** Counts a body whose length nobody has said. */
const collect = async (body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) throw new BodyTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * So many times the limit, a body whose length was said is read and dropped before it is refused. Who
 * is answered while still sending may never read the answer: a proxy makes 502 of the connection that
 * was closed.
 */
const droppedLimits = 4

const drop = async (body: ReadableStream<Uint8Array> | null): Promise<void> => {
  const reader = body?.getReader()
  while (reader !== undefined && !(await reader.read()).done);
}

/**
 * Reads a body up to a limit. A length that was said is believed when it is too much; otherwise it
 * is what the HTTP parser ends the body at, and the body can be read in one piece.
 *
 * @throws BodyTooLarge; ServiceError -32700 when the sender goes away
 */
export const readBody = async (request: Request, limit: number): Promise<Uint8Array> => {
  const said = request.headers.get('content-length')
  try {
    if (Number(said) > limit) {
      if (Number(said) <= droppedLimits * limit) await drop(request.body)
      throw new BodyTooLarge()
    }
    const bytes =
      said === null && request.body !== null
        ? await collect(request.body, limit)
        : new Uint8Array(await request.arrayBuffer())
    if (bytes.byteLength > limit) throw new BodyTooLarge()
    return bytes
  } catch (error) {
    if (error instanceof BodyTooLarge) throw error
    throw parseError('the body ended before it was whole', error)
  }
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
