import type { Value } from '../../values/value.ts'
import { formatAddress } from '../net/cidr.ts'
import { type Extension, extension } from './certificate.ts'
import { children, type Der, integerOf, oidOf, readAll, readDer } from './der.ts'
import { orNull, struct } from './struct.ts'

/** What certificates restrict: names (RFC 5280, 4.2.1.10) and policies (4.2.1.4, 4.2.1.5, 4.2.1.11, 4.2.1.14). */

const dotted = (id: Der | undefined): string => oidOf(id).join('.')

function bodyOf(extensions: readonly Extension[], last: number): Der | undefined {
  const found = extension(extensions, last)
  return found === undefined ? undefined : readDer(found.value)
}

/** A range of addresses as Go's `IPNet`: address and mask, of 4 or 16 bytes each. */
function rangeOf(bytes: Buffer): Value {
  const half = bytes.length / 2
  const value = BigInt(`0x${bytes.subarray(0, half).toString('hex') || '0'}`)
  return struct({
    IP: formatAddress({ value, bits: half === 4 ? 32 : 128 }),
    Mask: bytes.subarray(half).toString('base64'),
  })
}

/** Names that a CA may or may not issue for. */
export function nameConstraintMembers(
  extensions: readonly Extension[],
): Readonly<Record<string, Value>> {
  const body = bodyOf(extensions, 30)
  const parts = body === undefined ? [] : children(body)
  const namesOf = (subtrees: number): readonly Der[] =>
    parts
      .filter(({ tag }) => tag === subtrees)
      .flatMap(({ content }) => readAll(content))
      .flatMap((subtree) => children(subtree).slice(0, 1))
  const of = (prefix: 'Permitted' | 'Excluded', names: readonly Der[]) => {
    const texts = (tag: number): Value =>
      orNull(
        names.filter((name) => name.tag === tag).map(({ content }) => content.toString('latin1')),
      )
    const ranges = names.filter((name) => name.tag === 0x87)
    return {
      [`${prefix}DNSDomains`]: texts(0x82),
      [`${prefix}IPRanges`]: orNull(ranges.map(({ content }) => rangeOf(content))),
      [`${prefix}EmailAddresses`]: texts(0x81),
      [`${prefix}URIDomains`]: texts(0x86),
    }
  }
  return {
    PermittedDNSDomainsCritical: extension(extensions, 30)?.critical ?? false,
    ...of('Permitted', namesOf(0xa0)),
    ...of('Excluded', namesOf(0xa1)),
  }
}

/** A count of certificates, of which Go distinguishes zero from absence. */
function count(name: string, der: Der | undefined): Readonly<Record<string, Value>> {
  const value = der === undefined ? undefined : integerOf(der, der.tag)
  return { [name]: Number(value ?? 0n), [`${name}Zero`]: value === 0n }
}

/** Policies under which a certificate was issued, and what it requires of those below it. */
export function policyMembers(extensions: readonly Extension[]): Readonly<Record<string, Value>> {
  const policies = bodyOf(extensions, 32)
  const ids = policies === undefined ? [] : children(policies).map((each) => children(each)[0])
  const mappings = bodyOf(extensions, 33)
  const pairs = mappings === undefined ? [] : children(mappings).map((each) => children(each))
  const constraints = bodyOf(extensions, 36)
  const parts = constraints === undefined ? [] : children(constraints)
  return {
    PolicyIdentifiers: orNull(ids.map(oidOf)),
    Policies: orNull(ids.map(dotted)),
    PolicyMappings: orNull(
      pairs.map(([issuer, subject]) =>
        struct({ IssuerDomainPolicy: dotted(issuer), SubjectDomainPolicy: dotted(subject) }),
      ),
    ),
    ...count('InhibitAnyPolicy', bodyOf(extensions, 54)),
    ...count(
      'InhibitPolicyMapping',
      parts.find(({ tag }) => tag === 0x81),
    ),
    ...count(
      'RequireExplicitPolicy',
      parts.find(({ tag }) => tag === 0x80),
    ),
  }
}
