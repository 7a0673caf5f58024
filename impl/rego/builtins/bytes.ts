/**
 * Rego strings can contain bytes that are not UTF-8 (`base64.decode`, `hex.decode`). Such a byte is
 * represented by the lone surrogate U+DC00 + byte, which no text read from JSON or policies
 * contains, so that decoding and encoding round-trip; in JSON it becomes U+FFFD.
 */

const LONE = /(?<![\ud800-\udbff])[\udc80-\udcff]/

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Text of bytes. */
export function textOf(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    return textWithBytes(Buffer.from(bytes))
  }
}

/** Length of the valid UTF-8 sequence at an offset, or 0. */
function sequence(bytes: Buffer, at: number): number {
  const first = bytes[at] as number
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  if (length === 0 || first > 0xf4 || at + length > bytes.length) return 0
  const part = bytes.subarray(at, at + length)
  return Buffer.from(part.toString('utf8'), 'utf8').equals(part) ? length : 0
}

function textWithBytes(bytes: Buffer): string {
  let text = ''
  let from = 0
  for (let at = 0; at < bytes.length; ) {
    const length = sequence(bytes, at)
    if (length > 0) {
      at += length
      continue
    }
    text += bytes.toString('utf8', from, at)
    text += String.fromCharCode(0xdc00 + (bytes[at] as number))
    from = ++at
  }
  return text + bytes.toString('utf8', from)
}

/** The bytes of a text. */
export function bytesIn(text: string): Buffer {
  if (!LONE.test(text)) return Buffer.from(text, 'utf8')
  const parts: Buffer[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0xd800 && code < 0xdc00) at++
    else if (code >= 0xdc80 && code < 0xdd00) {
      parts.push(Buffer.from(text.slice(from, at), 'utf8'), Buffer.of(code - 0xdc00))
      from = at + 1
    }
  }
  parts.push(Buffer.from(text.slice(from), 'utf8'))
  return Buffer.concat(parts)
}
