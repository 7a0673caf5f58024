import { AppError } from 'polgate-lib/errors/appError.ts'
import { parseExact } from 'polgate-protocol/exactJson.ts'
import { invalidRequest, parseError } from './errors.ts'

/** The body is larger than allowed; answered with HTTP 413 (decision E9). */
export class BodyTooLarge extends AppError {
  /** Reads and drops what is left of the body, within bounds. Never rejects. */
  readonly drain: () => Promise<void>

  constructor(drain: () => Promise<void>) {
    super('the body is too large')
    this.drain = drain
  }
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>

/** So many times the limit of a body that is refused are read and dropped. */
const drainedLimits = 32

const drainerOf = (reader: BodyReader | undefined, limit: number) => async () => {
  let left = drainedLimits * limit
  try {
    while (reader !== undefined && left > 0) {
      const { done, value } = await reader.read()
      if (done) return
      left -= value.byteLength
    }
  } catch {
    // The sender is gone.
  }
}

/** Counts a body whose length was not declared. */
const collect = async (body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> => {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks)
    size += value.byteLength
    if (size > limit) throw new BodyTooLarge(drainerOf(reader, limit))
    chunks.push(value)
  }
}

/** One who waits to be told to go on sends nothing once he is refused. */
const waitsForContinue = (request: Request): boolean =>
  request.headers.get('expect')?.toLowerCase() === '100-continue'

/**
 * Reads a body up to a limit. A declared length is believed when it is too much: nothing is read
 * then. Otherwise it is what the HTTP parser ends the body at, and the body can be read in one piece.
 *
 * @throws BodyTooLarge; ServiceError -32700 when the sender goes away
 */
export const readBody = async (request: Request, limit: number): Promise<Uint8Array> => {
  const declared = request.headers.get('content-length')
  try {
    if (Number(declared) > limit) {
      const reader = waitsForContinue(request) ? undefined : request.body?.getReader()
      throw new BodyTooLarge(drainerOf(reader, limit))
    }
    const bytes =
      declared === null && request.body !== null
        ? await collect(request.body, limit)
        : new Uint8Array(await request.arrayBuffer())
    if (bytes.byteLength > limit) throw new BodyTooLarge(async () => {})
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
