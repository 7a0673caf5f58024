import type { Value } from '../../values/value.ts'
import { type Extension, extensionsIn } from './certificate.ts'
import { bitsOf, children, expect, integerOf, oidOf, readDer, TAG } from './der.ts'
import { struct } from './struct.ts'
import { extensionValues, keyMembers, nameMembers, nameValue, signatureNumber } from './toValue.ts'

/** The attribute of a request that has the extensions, as Go writes it. */
const attributeOf = (id: string, extensions: readonly Extension[]): Value =>
  struct({
    Type: id.split('.').map(Number),
    Value: [
      extensions.map(({ id, critical, value }) =>
        struct({ Type: [...id], Value: critical ? true : value.toString('base64') }),
      ),
    ],
  })

/** A certificate signing request in the JSON form of Go's structure. */
export function requestValue(der: Buffer): Value {
  const whole = readDer(der)
  const [info, algorithm, signature] = children(whole)
  const [version, subject, publicKey, attributes] = children(info)
  const wanted = '1.2.840.113549.1.9.14'
  const attribute = (attributes === undefined ? [] : children(attributes, 0xa0))
    .map((one) => children(one))
    .find(([id]) => oidOf(id).join('.') === wanted)
  const extensions = extensionsIn(
    attribute === undefined ? undefined : children(attribute[1], TAG.set)[0],
  )
  const name = expect(subject, TAG.sequence)
  const key = expect(publicKey, TAG.sequence)
  return struct({
    Raw: whole.raw.toString('base64'),
    RawTBSCertificateRequest: expect(info, TAG.sequence).raw.toString('base64'),
    RawSubjectPublicKeyInfo: key.raw.toString('base64'),
    RawSubject: name.raw.toString('base64'),
    Version: Number(integerOf(version)),
    Signature: bitsOf(signature).toString('base64'),
    SignatureAlgorithm: signatureNumber(expect(algorithm, TAG.sequence)),
    ...keyMembers(key),
    Subject: nameValue(name),
    Attributes: extensions.length === 0 ? null : [attributeOf(wanted, extensions)],
    Extensions: extensionValues(extensions),
    ExtraExtensions: null,
    ...nameMembers(extensions),
  })
}
