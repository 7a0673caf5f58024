import { AppError } from 'polgate-lib/errors/appError.ts'
import { TransferRefused, type Transfers } from 'polgate-lib/http/transfers.ts'
import { type JsonParts, parseParts } from 'polgate-protocol/exactJson.ts'
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

/** How much of a rejected body is read and discarded, as a multiple of the limit. */
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
    // The client has disconnected.
  }
}

/** Reads a body of undeclared length, up to the limit. */
async function collect(
  body: ReadableStream<Uint8Array>,
  limit: number,
  grow: (bytes: number) => void,
): Promise<Uint8Array> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks)
    size += value.byteLength
    if (size > limit) throw new BodyTooLarge(drainerOf(reader, limit))
    grow(value.byteLength)
    chunks.push(value)
  }
}

/** A client that waits for `100 Continue` sends nothing after a rejection. */
const waitsForContinue = (request: Request): boolean =>
  request.headers.get('expect')?.toLowerCase() === '100-continue'

/**
 * Reads a body up to a limit. If the declared length exceeds it, nothing is read. A smaller
 * declared length is enforced by the HTTP parser, so the body can be read at once.
 *
 * @throws BodyTooLarge, TransferRefused; ServiceError -32700 if the client disconnects
 */
export async function readBody(
  request: Request,
  { limit, key, transfers }: { limit: number; key: string; transfers: Transfers },
): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  try {
    if (Number(declared) > limit) {
      const reader = waitsForContinue(request) ? undefined : request.body?.getReader()
      throw new BodyTooLarge(drainerOf(reader, limit))
    }
    const size = declared === null ? undefined : Number(declared)
    const bytes = await transfers.receive(key, size, async (grow) =>
      declared === null && request.body !== null
        ? await collect(request.body, limit, grow)
        : new Uint8Array(await request.arrayBuffer()),
    )
    if (bytes.byteLength > limit) throw new BodyTooLarge(async () => {})
    return bytes
  } catch (error) {
    if (error instanceof BodyTooLarge || error instanceof TransferRefused) throw error
    throw parseError('the body ended before its declared length', error)
  }
}

/**
 * Parses a body as UTF-8 JSON regardless of `Content-Type`: `curl -d` sends another one, and
 * cross-site requests cannot set the key header. Depth and numbers are bounded by call, so that one
 * of a batch does not fail the others.
 *
 * @throws ServiceError -32700 `Parse error`
 */
export function parseBody(bytes: Uint8Array): JsonParts {
  try {
    return parseParts(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The parser's message contains part of the body, which may include a secret.
    throw parseError('the body is not UTF-8 JSON')
  }
}

/** Rejects compressed bodies, which would otherwise cause a misleading parse error. */
export function refuseEncoding(request: Request): void {
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw invalidRequest('Content-Encoding is not supported')
}
