import { BuiltinError } from '../../errors.ts'
import {
  bitsOf,
  children,
  type Der,
  expect,
  integerOf,
  oidOf,
  readAll,
  readDer,
  TAG,
  timeOf,
} from './der.ts'

export type Extension = {
  readonly id: readonly number[]
  readonly critical: boolean
  readonly value: Buffer
}

/** The fields of a certificate as in its DER. */
export type Certificate = {
  readonly raw: Buffer
  readonly tbs: Buffer
  readonly version: number
  readonly serial: bigint
  readonly issuer: Der
  readonly subject: Der
  /** Seconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
  readonly publicKey: Der
  readonly extensions: readonly Extension[]
  readonly algorithm: Der
  readonly signature: Buffer
}

function extensionOf(der: Der): Extension {
  const parts = children(der)
  const value = parts[parts.length - 1]
  return {
    id: oidOf(parts[0]),
    critical: parts.length > 2 && parts[1]?.content[0] !== 0,
    value: expect(value, TAG.octets).content,
  }
}

/** The extensions in a list of them. */
export const extensionsIn = (der: Der | undefined): readonly Extension[] =>
  der === undefined ? [] : children(der).map(extensionOf)

function read(der: Der): Certificate {
  const [tbs, algorithm, signature] = children(der)
  const parts = children(tbs)
  const hasVersion = parts[0]?.tag === 0xa0
  const [version] = hasVersion ? readAll((parts.shift() as Der).content) : []
  const [serial, , issuer, validity, subject, publicKey, ...rest] = parts
  const [from, to] = children(validity)
  const extensions = rest.find((part) => part.tag === 0xa3)
  return {
    raw: der.raw,
    tbs: expect(tbs, TAG.sequence).raw,
    version: version === undefined ? 1 : Number(integerOf(version)) + 1,
    serial: integerOf(serial),
    issuer: expect(issuer, TAG.sequence),
    subject: expect(subject, TAG.sequence),
    notBefore: timeOf(from),
    notAfter: timeOf(to),
    publicKey: expect(publicKey, TAG.sequence),
    extensions: extensionsIn(extensions === undefined ? undefined : readDer(extensions.content)),
    algorithm: expect(algorithm, TAG.sequence),
    signature: bitsOf(signature),
  }
}

/**
 * Parses a sequence of DER certificates.
 *
 * @throws BuiltinError
 */
export function readCertificates(bytes: Buffer): readonly Certificate[] {
  try {
    return readAll(bytes).map(read)
  } catch (error) {
    if (error instanceof BuiltinError) throw new BuiltinError('x509: malformed certificate')
    throw error
  }
}

/** The certificate extension (arc 2.5.29) with an id. */
export const extension = (extensions: readonly Extension[], last: number): Extension | undefined =>
  extensions.find(({ id }) => id.length === 4 && id.join('.') === `2.5.29.${last}`)

/** Whether a certificate may issue others, and the maximum path length. */
export function constraintsOf(
  extensions: readonly Extension[],
): { readonly isCa: boolean; readonly maxPath: number | undefined } | undefined {
  const found = extension(extensions, 19)
  if (found === undefined) return undefined
  const [first, ...rest] = children(readDer(found.value))
  const isCa = first?.tag === TAG.boolean && first.content[0] !== 0
  const length = [first, ...rest].find((part) => part?.tag === TAG.integer)
  return { isCa, maxPath: length === undefined ? undefined : Number(integerOf(length)) }
}

const USAGES: ReadonlyMap<string, number> = new Map([
  ['2.5.29.37.0', 0],
  ['1.3.6.1.5.5.7.3.1', 1],
  ['1.3.6.1.5.5.7.3.2', 2],
  ['1.3.6.1.5.5.7.3.3', 3],
  ['1.3.6.1.5.5.7.3.4', 4],
  ['1.3.6.1.5.5.7.3.5', 5],
  ['1.3.6.1.5.5.7.3.6', 6],
  ['1.3.6.1.5.5.7.3.7', 7],
  ['1.3.6.1.5.5.7.3.8', 8],
  ['1.3.6.1.5.5.7.3.9', 9],
  ['1.3.6.1.4.1.311.10.3.3', 10],
  ['2.16.840.1.113730.4.1', 11],
  ['1.3.6.1.4.1.311.2.1.22', 12],
  ['1.3.6.1.4.1.311.61.1.1', 13],
])

/** Purposes by Go's numbers, and unknown ids; undefined if unrestricted. */
export function usagesOf(
  extensions: readonly Extension[],
):
  | { readonly known: readonly number[]; readonly unknown: readonly (readonly number[])[] }
  | undefined {
  const found = extension(extensions, 37)
  if (found === undefined) return undefined
  const ids = children(readDer(found.value)).map(oidOf)
  const known = ids.map((id) => USAGES.get(id.join('.')))
  return {
    known: known.filter((usage) => usage !== undefined),
    unknown: ids.filter((_, i) => known[i] === undefined),
  }
}
