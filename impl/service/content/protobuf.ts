/** A field of a message: a number, or bytes. */
export type Field = {
  readonly number: number
  readonly value?: number
  readonly bytes?: Uint8Array
}

/**
 * Decodes the fields of a message lazily, so that a reader may stop at a limit.
 * @param malformed creates the error for an invalid message
 */
export function* protobufFields(message: Uint8Array, malformed: () => Error): Generator<Field> {
  const cursor = { at: 0 }
  while (cursor.at < message.length) {
    const tag = readVarint(message, cursor, malformed)
    const number = Math.floor(tag / 8)
    const wireType = tag % 8
    if (wireType === 0) {
      yield { number, value: readVarint(message, cursor, malformed) }
    } else if (wireType === 2) {
      const length = readVarint(message, cursor, malformed)
      const end = cursor.at + length
      if (end > message.length) throw malformed()
      yield { number, bytes: message.subarray(cursor.at, end) }
      cursor.at = end
    } else {
      throw malformed()
    }
  }
}

/** Packed numbers, at most `most` of them. */
export function readVarints(bytes: Uint8Array, most: number, malformed: () => Error): number[] {
  const cursor = { at: 0 }
  const values: number[] = []
  while (cursor.at < bytes.length && values.length < most) {
    values.push(readVarint(bytes, cursor, malformed))
  }
  return values
}

function readVarint(message: Uint8Array, cursor: { at: number }, malformed: () => Error): number {
  let value = 0
  for (let scale = 1; scale < 2 ** 53; scale *= 128) {
    const byte = message[cursor.at]
    if (byte === undefined) throw malformed()
    cursor.at += 1
    value += (byte & 0x7f) * scale
    if (byte < 0x80) {
      if (!Number.isSafeInteger(value)) throw malformed()
      return value
    }
  }
  throw malformed()
}

/** @param value from 0 to 2^53 - 1 */
export function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return Uint8Array.from([...bytes, rest])
}

export const numberField = (number: number, value: number): Uint8Array =>
  Buffer.concat([varint(number * 8), varint(value)])

export const bytesField = (number: number, bytes: Uint8Array): Uint8Array =>
  Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
