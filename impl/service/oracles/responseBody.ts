import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { HostFetchError } from './hostFetchError.ts'
import { formatBytes } from './limits.ts'

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Reads a response body for the guest. It is decoded from its content-encoding, as in browsers,
 * since few guests could do so. Both the encoded and the decoded size are limited; reading and
 * decompression stop at the limit.
 *
 * @param encoding the content-encoding of the response
 * @param room bytes that remain for the body
 * @throws HostFetchError when it is too large or not encoded as declared; what `body` rejects with
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  { room, limit }: { room: number; limit: number },
): Promise<Uint8Array> {
  countPieces(body)
  const wire = bounded(room, `the response is larger than ${formatBytes(limit)}`)
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return await collect(wire(body))
  if (name.includes(',')) throw new HostFetchError('the response is compressed more than once')
  if (!Object.hasOwn(decoders, name)) {
    throw new HostFetchError('the content encoding of the response is not gzip, deflate or br')
  }
  const decoder = decoders[name as keyof typeof decoders]()
  let sent = 0
  const counted = async function* (source: Chunks) {
    for await (const chunk of wire(source)) {
      sent += chunk.length
      yield chunk
    }
  }
  // Errors of the pipeline surface where the decoder is read.
  pipeline(body, counted, decoder, () => {})
  const most = `the response is larger than ${formatBytes(limit)} when decompressed`
  try {
    return await collect(bounded(room, most)(decoder))
  } catch (error) {
    if (!decoderCode.test(String((error as { code?: unknown }).code))) throw error
    // An empty body is valid in every encoding.
    if (sent === 0) return new Uint8Array()
    throw new HostFetchError(`the response is not valid ${name}`)
  } finally {
    decoder.destroy()
  }
}

/** Error codes of zlib and Brotli for invalid data. */
const decoderCode = /^(Z_|ERR__ERROR_|ERR_BROTLI)/

/**
 * A server may send a body byte by byte, and each piece costs the event loop more than its bytes.
 * Networks deliver some hundred pieces per mebibyte.
 */
const maxPieces = 16_384

/** Counts pieces on arrival: a reader of the stream gets buffered pieces joined. */
function countPieces(body: Readable): void {
  const push = body.push.bind(body)
  let pieces = 0
  const counted = (chunk: unknown): boolean => {
    pieces += 1
    if (pieces <= maxPieces || chunk === null) return push(chunk)
    body.destroy(new HostFetchError(`the response arrived in more than ${maxPieces} pieces`))
    return false
  }
  // V8 would keep a function that is assigned where it is written, and the body, until a full collection.
  body.push = counted
}

type Chunks = AsyncIterable<Uint8Array>

function bounded(room: number, text: string): (source: Chunks) => AsyncGenerator<Uint8Array> {
  return async function* (source) {
    let left = room
    for await (const chunk of source) {
      left -= chunk.length
      if (left < 0) throw new HostFetchError(text)
      yield chunk
    }
  }
}

/** Collects into one growing array, so that many small pieces cost no more than their bytes. */
async function collect(source: Chunks): Promise<Uint8Array> {
  let bytes = new Uint8Array(4_096)
  let length = 0
  for await (const chunk of source) {
    if (length + chunk.length > bytes.length) {
      const larger = new Uint8Array(Math.max(2 * bytes.length, length + chunk.length))
      larger.set(bytes.subarray(0, length))
      bytes = larger
    }
    bytes.set(chunk, length)
    length += chunk.length
  }
  return bytes.slice(0, length)
}
