import { createPublicKey } from 'node:crypto'
import { fromBigInt } from '../../values/number.ts'
import { RegoObject } from '../../values/object.ts'
import type { Value } from '../../values/value.ts'
import { formatAddress } from '../net/cidr.ts'
import { formatTime } from '../time/format.ts'
import { RFC3339 } from '../time/layout.ts'
import { UTC } from '../time/zone.ts'
import {
  type Certificate,
  constraintsOf,
  type Extension,
  extension,
  usagesOf,
} from './certificate.ts'
import { bitsOf, children, type Der, oidOf, readAll, readDer, TAG, textIn } from './der.ts'
import { nameConstraintMembers, policyMembers } from './restrictions.ts'
import { orNull, struct } from './struct.ts'

const base64 = (bytes: Buffer): Value => bytes.toString('base64')

const LISTS: ReadonlyMap<string, string> = new Map([
  ['2.5.4.6', 'Country'],
  ['2.5.4.10', 'Organization'],
  ['2.5.4.11', 'OrganizationalUnit'],
  ['2.5.4.7', 'Locality'],
  ['2.5.4.8', 'Province'],
  ['2.5.4.9', 'StreetAddress'],
  ['2.5.4.17', 'PostalCode'],
])

/** A distinguished name. */
export function nameValue(name: Der): Value {
  const pairs = children(name)
    .flatMap((part) => children(part, TAG.set))
    .map((pair) => children(pair))
    .map(([type, value]) => ({ id: oidOf(type), text: value === undefined ? '' : textIn(value) }))
  const of = (id: string): string[] =>
    pairs.filter((pair) => pair.id.join('.') === id).map((pair) => pair.text)
  return struct({
    ...Object.fromEntries([...LISTS].map(([id, member]) => [member, orNull(of(id))])),
    SerialNumber: of('2.5.4.5').at(-1) ?? '',
    CommonName: of('2.5.4.3').at(-1) ?? '',
    Names: orNull(pairs.map((pair) => struct({ Type: pair.id, Value: pair.text }))),
    ExtraNames: null,
  })
}

const SIGNATURES: readonly (readonly [string, number])[] = [
  ['1.2.840.113549.1.1.4', 2],
  ['1.2.840.113549.1.1.5', 3],
  ['1.2.840.113549.1.1.11', 4],
  ['1.2.840.113549.1.1.12', 5],
  ['1.2.840.113549.1.1.13', 6],
  ['1.2.840.10045.4.1', 9],
  ['1.2.840.10045.4.3.2', 10],
  ['1.2.840.10045.4.3.3', 11],
  ['1.2.840.10045.4.3.4', 12],
  ['1.3.101.112', 16],
]

/** Go's number of a signature algorithm; 0 if unknown. */
export function signatureNumber(algorithm: Der): number {
  const id = oidOf(children(algorithm)[0]).join('.')
  return SIGNATURES.find(([known]) => known === id)?.[1] ?? 0
}

const KEYS: ReadonlyMap<string, number> = new Map([
  ['1.2.840.113549.1.1.1', 1],
  ['1.2.840.10040.4.1', 2],
  ['1.2.840.10045.2.1', 3],
  ['1.3.101.112', 4],
])

const unsigned = (base64url: string | undefined): Value =>
  fromBigInt(BigInt(`0x${Buffer.from(base64url ?? '', 'base64url').toString('hex') || '0'}`))

/** The number of the key algorithm, and the public key. */
export function keyMembers(spki: Der): Readonly<Record<string, Value>> {
  const [algorithm, bits] = children(spki)
  const number = KEYS.get(oidOf(children(algorithm)[0]).join('.')) ?? 0
  if (number === 4) return { PublicKeyAlgorithm: number, PublicKey: base64(bitsOf(bits)) }
  if (number !== 1 && number !== 3) return { PublicKeyAlgorithm: number, PublicKey: null }
  const jwk = createPublicKey({ key: spki.raw, format: 'der', type: 'spki' }).export({
    format: 'jwk',
  })
  const key =
    number === 1
      ? struct({ N: unsigned(jwk.n), E: unsigned(jwk.e) })
      : struct({ Curve: new RegoObject(), X: unsigned(jwk.x), Y: unsigned(jwk.y) })
  return { PublicKeyAlgorithm: number, PublicKey: key }
}

function addressOf(bytes: Buffer): Value {
  const value = BigInt(`0x${bytes.toString('hex')}`)
  return formatAddress({ value, bits: bytes.length === 4 ? 32 : 128 })
}

function uriOf(text: string): Value {
  const [, scheme = '', host = '', path = '', query = '', fragment = ''] =
    /^([a-zA-Z][a-zA-Z\d+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(text) ?? []
  return struct({
    Scheme: scheme.toLowerCase(),
    Opaque: '',
    User: null,
    Host: host,
    Path: path,
    RawPath: '',
    OmitHost: false,
    ForceQuery: false,
    RawQuery: query,
    Fragment: fragment,
    RawFragment: '',
  })
}

function alternativeNames(extensions: readonly Extension[]): readonly Der[] {
  const found = extension(extensions, 17)
  return found === undefined ? [] : children(readDer(found.value))
}

/** The subject alternative names of a kind. */
const namedIn = (extensions: readonly Extension[], tag: number): readonly string[] =>
  alternativeNames(extensions)
    .filter((name) => name.tag === tag)
    .map((name) => name.content.toString('latin1'))

/** The subject alternative names, by kind. */
export function nameMembers(extensions: readonly Extension[]): Readonly<Record<string, Value>> {
  const addresses = alternativeNames(extensions).filter((name) => name.tag === 0x87)
  return {
    DNSNames: orNull(namedIn(extensions, 0x82)),
    EmailAddresses: orNull(namedIn(extensions, 0x81)),
    IPAddresses: orNull(addresses.map((name) => addressOf(name.content))),
    URIs: orNull(namedIn(extensions, 0x86).map(uriOf)),
  }
}

export const extensionValues = (extensions: readonly Extension[]): Value =>
  orNull(
    extensions.map(({ id, critical, value }) =>
      struct({ Id: id, Critical: critical, Value: base64(value) }),
    ),
  )

function usageBits(extensions: readonly Extension[]): number {
  const found = extension(extensions, 15)
  if (found === undefined) return 0
  const bits = bitsOf(readDer(found.value))
  let usage = 0
  for (let i = 0; i < 9; i++) {
    if (((bits[i >> 3] ?? 0) >> (7 - (i & 7))) & 1) usage |= 1 << i
  }
  return usage
}

/** URLs of the issuer's certificate (2) and of OCSP (1). */
function accessUrls(extensions: readonly Extension[], method: number): Value {
  const found = extensions.find(({ id }) => id.join('.') === '1.3.6.1.5.5.7.1.1')
  if (found === undefined) return null
  const urls = children(readDer(found.value))
    .map((access) => children(access))
    .filter(([id]) => oidOf(id).join('.') === `1.3.6.1.5.5.7.48.${method}`)
    .map(([, location]) => location?.content.toString('latin1') ?? '')
  return orNull(urls)
}

function revocationLists(extensions: readonly Extension[]): Value {
  const found = extension(extensions, 31)
  if (found === undefined) return null
  const urls = children(readDer(found.value))
    .flatMap((point) => children(point).filter((part) => part.tag === 0xa0))
    .flatMap((point) => readAll(point.content).filter((part) => part.tag === 0xa0))
    .flatMap((full) => readAll(full.content).filter((name) => name.tag === 0x86))
  return orNull(urls.map((url) => url.content.toString('latin1')))
}

function authority(extensions: readonly Extension[]): Value {
  const found = extension(extensions, 35)
  const key =
    found === undefined
      ? undefined
      : children(readDer(found.value)).find((part) => part.tag === 0x80)
  return key === undefined ? null : base64(key.content)
}

const HANDLED = [14, 15, 17, 19, 30, 31, 32, 33, 35, 36, 37, 54]

const unhandled = (extensions: readonly Extension[]): Value =>
  orNull(
    extensions
      .filter(
        ({ id, critical }) => critical && !HANDLED.some((n) => id.join('.') === `2.5.29.${n}`),
      )
      .map(({ id }) => id),
  )

const date = (seconds: number): Value => formatTime(BigInt(seconds) * 1_000_000_000n, UTC, RFC3339)

export const certificateValue = (certificate: Certificate): Value =>
  struct(certificateMembers(certificate))

/** With what OPA adds to Go's structure. */
export const extendedCertificate = (certificate: Certificate): Value =>
  struct({
    ...certificateMembers(certificate),
    URIStrings: orNull(namedIn(certificate.extensions, 0x86)),
  })

function certificateMembers(certificate: Certificate): Readonly<Record<string, Value>> {
  const { extensions } = certificate
  const constraints = constraintsOf(extensions)
  const usages = usagesOf(extensions)
  const keyId = extension(extensions, 14)
  return {
    Raw: base64(certificate.raw),
    RawTBSCertificate: base64(certificate.tbs),
    RawSubjectPublicKeyInfo: base64(certificate.publicKey.raw),
    RawSubject: base64(certificate.subject.raw),
    RawIssuer: base64(certificate.issuer.raw),
    Signature: base64(certificate.signature),
    SignatureAlgorithm: signatureNumber(certificate.algorithm),
    ...keyMembers(certificate.publicKey),
    Version: certificate.version,
    SerialNumber: fromBigInt(certificate.serial),
    Issuer: nameValue(certificate.issuer),
    Subject: nameValue(certificate.subject),
    NotBefore: date(certificate.notBefore),
    NotAfter: date(certificate.notAfter),
    KeyUsage: usageBits(extensions),
    Extensions: extensionValues(extensions),
    ExtraExtensions: null,
    UnhandledCriticalExtensions: unhandled(extensions),
    ExtKeyUsage: orNull(usages?.known ?? []),
    UnknownExtKeyUsage: orNull(usages?.unknown ?? []),
    BasicConstraintsValid: constraints !== undefined,
    IsCA: constraints?.isCa ?? false,
    MaxPathLen: constraints === undefined ? 0 : (constraints.maxPath ?? -1),
    MaxPathLenZero: constraints?.maxPath === 0,
    SubjectKeyId: keyId === undefined ? null : base64(readDer(keyId.value).content),
    AuthorityKeyId: authority(extensions),
    OCSPServer: accessUrls(extensions, 1),
    IssuingCertificateURL: accessUrls(extensions, 2),
    ...nameMembers(extensions),
    ...nameConstraintMembers(extensions),
    CRLDistributionPoints: revocationLists(extensions),
    ...policyMembers(extensions),
  }
}
