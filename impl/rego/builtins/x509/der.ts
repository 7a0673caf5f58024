import { BuiltinError } from '../../errors.ts'

/** A DER element. */
export type Der = {
  /** The first byte: class, form and number. */
  readonly tag: number
  readonly content: Buffer
  /** With tag and length. */
  readonly raw: Buffer
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const

const malformed = (): BuiltinError => new BuiltinError('asn1: structure error')

/** The element at the start of the bytes. */
export function readDer(bytes: Buffer): Der {
  const tag = bytes[0]
  const first = bytes[1]
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw malformed()
  const size = first < 0x80 ? 0 : first & 0x7f
  if (first === 0x80 || size > 4 || bytes.length < 2 + size) throw malformed()
  const length = size === 0 ? first : bytes.readUIntBE(2, size)
  const start = 2 + size
  if (start + length > bytes.length) throw malformed()
  return {
    tag,
    content: bytes.subarray(start, start + length),
    raw: bytes.subarray(0, start + length),
  }
}

/** Consecutive elements. */
export function readAll(bytes: Buffer): Der[] {
  const found: Der[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const der = readDer(rest)
    found.push(der)
    rest = rest.subarray(der.raw.length)
  }
  return found
}

export function expect(der: Der | undefined, tag: number): Der {
  if (der?.tag !== tag) throw malformed()
  return der
}

/** The elements of a sequence or set. */
export const children = (der: Der | undefined, tag: number = TAG.sequence): Der[] =>
  readAll(expect(der, tag).content)

/** @param tag another one if it is implicit */
export function integerOf(der: Der | undefined, tag: number = TAG.integer): bigint {
  const { content } = expect(der, tag)
  if (content.length === 0) throw malformed()
  return BigInt.asIntN(content.length * 8, BigInt(`0x${content.toString('hex')}`))
}

export function oidOf(der: Der | undefined): readonly number[] {
  const { content } = expect(der, TAG.oid)
  const numbers: number[] = []
  let value = 0
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f)
    if ((byte & 0x80) !== 0) continue
    if (numbers.length === 0) {
      const top = Math.min(Math.floor(value / 40), 2)
      numbers.push(top, value - 40 * top)
    } else numbers.push(value)
    value = 0
  }
  return numbers
}

/** The bytes of a bit string. */
export const bitsOf = (der: Der | undefined): Buffer => expect(der, TAG.bits).content.subarray(1)

/** Text of the string types: UTF-8, Latin (T61), or UTF-16 (BMP). */
export function textIn({ tag, content }: Der): string {
  if (tag === 0x1e) return Buffer.from(content).swap16().toString('utf16le')
  return content.toString(tag === 0x14 ? 'latin1' : 'utf8')
}

/** Seconds since 1970 of a UTCTime or GeneralizedTime. */
export function timeOf(der: Der | undefined): number {
  if (der === undefined) throw malformed()
  const text = der.content.toString('latin1')
  const match = /^(\d{2}|\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  if (match === null) throw malformed()
  const [, years = '', ...rest] = match
  const [month = 1, day = 1, hour = 0, minute = 0, second = 0] = rest.map(Number)
  const year =
    years.length === 4 ? Number(years) : Number(years) + (Number(years) < 50 ? 2000 : 1900)
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1_000
}
