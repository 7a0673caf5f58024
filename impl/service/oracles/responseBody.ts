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
 * A body as the guest is to have it: without its content-encoding, as browsers hand it over, since
 * few guests could undo one. It is bounded twice, as it comes from the wire and as it is handed over;
 * what goes beyond is neither read nor decompressed.
 *
 * @param encoding what the response says of itself
 * @param room bytes that are left for the body
 * @throws HostFetchError when it is too large, or not encoded as it says; what `body` rejects with
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
    throw new HostFetchError('the response is encoded otherwise than by gzip, deflate or br')
  }
  const decoder = decoders[name as keyof typeof decoders]()
  let sent = 0
  const counted = async function* (source: Chunks) {
    for await (const chunk of wire(source)) {
      sent += chunk.length
      yield chunk
    }
  }
  // Errors of either end arrive where the other is read.
  pipeline(body, counted, decoder, () => {})
  const most = `the response is larger than ${formatBytes(limit)} when decompressed`
  try {
    return await collect(bounded(room, most)(decoder))
  } catch (error) {
    if (!decoderCode.test(String((error as { code?: unknown }).code))) throw error
    // Nothing is nothing, in every encoding.
    if (sent === 0) return new Uint8Array()
    throw new HostFetchError(`the response is not valid ${name}`)
  } finally {
    decoder.destroy()
  }
}

/** What zlib and Brotli call it when the bytes are not theirs. */
const decoderCode = /^(Z_|ERR__ERROR_|ERR_BROTLI)/

/**
 * A server may send a body byte by byte, and each piece costs the event loop more than its bytes do.
 * Networks deliver some hundred pieces a mebibyte.
 */
const maxPieces = 16_384

/** Counted where they arrive: who reads a stream is given together what has gathered. */
function countPieces(body: Readable): void {
  const push = body.push.bind(body)
  let pieces = 0
  body.push = (chunk: unknown) => {
    pieces += 1
    if (pieces <= maxPieces || chunk === null) return push(chunk)
    body.destroy(new HostFetchError(`the response comes in more than ${maxPieces} pieces`))
    return false
  }
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

/** One growing array, so that a body in a million pieces costs no more than its bytes. */
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
