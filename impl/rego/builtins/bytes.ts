/**
 * Rego strings can contain bytes that are not UTF-8 (`base64.decode`, `hex.decode`). Such a byte is
 * represented by the lone surrogate U+DC00 + byte, which no text read from JSON or policies
 * contains, so that decoding and encoding round-trip; in JSON it becomes U+FFFD.
 */

const LONE = /(?<![\ud800-\udbff])[\udc80-\udcff]/

const encoder = new TextEncoder()
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Text of bytes. */
export function textOf(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    return textWithBytes(bytes)
  }
}

/** Length of the valid UTF-8 sequence at an offset, or 0. */
function sequence(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0, ...others] = bytes.subarray(at, at + 4)
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  if (length < 2) return length
  if (first > 0xf4 || at + length > bytes.length) return 0
  // No overlong forms, no surrogates, nothing above U+10FFFF.
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < least || second > most) return 0
  return others.slice(0, length - 2).every((byte) => (byte & 0xc0) === 0x80) ? length : 0
}

function textWithBytes(bytes: Uint8Array): string {
  let text = ''
  let from = 0
  for (let at = 0; at < bytes.length; ) {
    const length = sequence(bytes, at)
    if (length > 0) {
      at += length
      continue
    }
    text += strict.decode(bytes.subarray(from, at))
    text += String.fromCharCode(0xdc00 + (bytes[at] as number))
    from = ++at
  }
  return text + strict.decode(bytes.subarray(from))
}

/** The bytes of a text. */
export function bytesIn(text: string): Uint8Array {
  if (!LONE.test(text)) return encoder.encode(text)
  const parts: Uint8Array[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0xd800 && code < 0xdc00) at++
    else if (code >= 0xdc80 && code < 0xdd00) {
      parts.push(encoder.encode(text.slice(from, at)), Uint8Array.of(code - 0xdc00))
      from = at + 1
    }
  }
  parts.push(encoder.encode(text.slice(from)))
  return joined(parts)
}

/** Bytes one after the other. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
