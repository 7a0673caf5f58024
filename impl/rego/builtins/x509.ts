import { createPublicKey, X509Certificate } from 'node:crypto'
import { BuiltinError } from '../errors.ts'
import { isArray, isNumber, isSet, type Value } from '../values/value.ts'
import { decodeBase64 } from './base64.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { pemBlock } from './jwt/keys.ts'
import { asObject, asString } from './operands.ts'
import { ANY, arrayOf, BOOLEAN, objectOf, STRING, tuple } from './types.ts'
import { type Certificate, readCertificates } from './x509/certificate.ts'
import { anyPrivateKey, jwkValue, keyValue, privateKey } from './x509/keys.ts'
import { requestValue } from './x509/request.ts'
import { struct } from './x509/struct.ts'
import { certificateValue, extendedCertificate } from './x509/toValue.ts'
import { type VerifyOptions, verifyChain } from './x509/verify.ts'

const MAX_BLOCKS = 100

const BEGIN = '-----BEGIN'

type Block = { readonly label: string; readonly der: Buffer }

/** The blocks of PEM text, of base64 of such text, or of base64 of DER. */
function blocksOf(ctx: BuiltinContext, text: string, label: string): readonly Block[] {
  ctx.meter.charge(1_000 + text.length)
  ctx.meter.allocate(text.length * 8)
  const isPem = (candidate: string): boolean => candidate.startsWith(BEGIN)
  const bytes = isPem(text) ? Buffer.from(text) : Buffer.from(decodeBase64(text))
  const plain = bytes.toString('latin1')
  if (!isPem(plain)) return [{ label, der: bytes }]
  return allBlocks(plain)
}

const certificatesIn = (ctx: BuiltinContext, text: string): readonly Certificate[] =>
  blocksOf(ctx, text, 'CERTIFICATE').flatMap(({ label, der }) => {
    if (label !== 'CERTIFICATE') throw new BuiltinError('PEM block type must be CERTIFICATE')
    return readCertificates(der)
  })

/** Text without a chain of certificates is not valid, as is a chain that cannot be verified. */
function verified(
  ctx: BuiltinContext,
  text: string,
  options: () => VerifyOptions,
  shown: (certificate: Certificate) => Value,
): Value {
  let certificates: readonly Certificate[]
  try {
    certificates = certificatesIn(ctx, text)
  } catch (error) {
    if (error instanceof BuiltinError) return [false, []]
    throw error
  }
  const wanted = options()
  const chain = certificates.length < 2 ? undefined : verifyChain(certificates, wanted)
  return chain === undefined ? [false, []] : [true, chain.map(shown)]
}

const now = (ctx: BuiltinContext): number => Number(ctx.nowNs / 1_000_000_000n)

const SERVER_AUTH = 1

const PURPOSES: Readonly<Record<string, number>> = {
  KeyUsageAny: 0,
  KeyUsageServerAuth: 1,
  KeyUsageClientAuth: 2,
  KeyUsageCodeSigning: 3,
  KeyUsageEmailProtection: 4,
  KeyUsageIPSECEndSystem: 5,
  KeyUsageIPSECTunnel: 6,
  KeyUsageIPSECUser: 7,
  KeyUsageTimeStamping: 8,
  KeyUsageOCSPSigning: 9,
  KeyUsageMicrosoftServerGatedCrypto: 10,
  KeyUsageNetscapeServerGatedCrypto: 11,
  KeyUsageMicrosoftCommercialCodeSigning: 12,
  KeyUsageMicrosoftKernelCodeSigning: 13,
}

function optionsOf(ctx: BuiltinContext, value: Value): VerifyOptions {
  let at = now(ctx)
  let host: string | undefined
  let usages: readonly number[] = []
  for (const [key, option] of asObject(value, 2).entries()) {
    switch (key) {
      case 'DNSName':
        if (typeof option !== 'string') throw new BuiltinError("'DNSName' should be a string")
        host = option
        break
      case 'CurrentTime':
        at = Number(wholeOption(key, option, 'int64 number') / 1_000_000_000n)
        break
      case 'MaxConstraintComparisons':
        wholeOption(key, option, 'number')
        break
      case 'KeyUsages':
        usages = purposesOf(option)
        break
      default:
        // Names of other types are ignored in OPA.
        if (typeof key === 'string') throw new BuiltinError('invalid key option')
    }
  }
  return { at, usages: usages.length === 0 ? [SERVER_AUTH] : usages, host }
}

function wholeOption(name: string, value: Value, sort: string): bigint {
  if (!isNumber(value)) throw new BuiltinError(`'${name}' should be a number`)
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new BuiltinError(`'${name}' should be a valid ${sort}`)
  }
  const whole = BigInt(value)
  if (BigInt.asIntN(64, whole) !== whole) {
    throw new BuiltinError(`'${name}' should be a valid ${sort}`)
  }
  return whole
}

/** Members that are no texts are left out, as in OPA. */
function purposesOf(value: Value): number[] {
  if (!isArray(value) && !isSet(value)) {
    throw new BuiltinError("'KeyUsages' should be an Array or Set")
  }
  const names = (isArray(value) ? value : value.values()).filter((each) => typeof each === 'string')
  const unknown = names.filter((name) => PURPOSES[name] === undefined)
  if (unknown.length > 0) {
    throw new BuiltinError(`invalid entries for 'KeyUsages' found: [${unknown.join(' ')}]`)
  }
  return names.map((name) => PURPOSES[name]!)
}

function parseRequest(ctx: BuiltinContext, a: Value): Value {
  const [block] = blocksOf(ctx, asString(a, 1), 'CERTIFICATE REQUEST')
  if (block?.label !== 'CERTIFICATE REQUEST') {
    throw new BuiltinError('invalid PEM-encoded certificate signing request')
  }
  return requestValue(block.der)
}

/** PEM blocks anywhere in a text, or in a text in base64; a text without any has none. */
function scattered(ctx: BuiltinContext, text: string): readonly Block[] {
  ctx.meter.charge(1_000 + text.length)
  ctx.meter.allocate(text.length * 4)
  return allBlocks(decodedOr(text))
}

function allBlocks(text: string): readonly Block[] {
  const blocks: Block[] = []
  for (let block = pemBlock(text); block !== undefined; block = pemBlock(text, block.end)) {
    blocks.push(block)
    if (blocks.length > MAX_BLOCKS) throw new BuiltinError(`more than ${MAX_BLOCKS} PEM blocks`)
  }
  return blocks
}

function decodedOr(text: string): string {
  try {
    return Buffer.from(decodeBase64(text)).toString('latin1')
  } catch (error) {
    if (error instanceof BuiltinError) return text
    throw error
  }
}

const scatteredKeys = (ctx: BuiltinContext, text: string) =>
  scattered(ctx, text)
    .map((block) => privateKey(block.label, block.der))
    .filter((key) => key !== undefined)

function parsePrivateKeys(ctx: BuiltinContext, a: Value): Value {
  const text = asString(a, 1)
  return text === '' ? null : scatteredKeys(ctx, text).map(keyValue)
}

function parseKeyPair(ctx: BuiltinContext, a: Value, b: Value): Value {
  const [certificatePem, keyPem] = [asString(a, 1), asString(b, 2)]
  const certificates = blocksOf(ctx, certificatePem, 'CERTIFICATE')
    .filter(({ label }) => label === 'CERTIFICATE')
    .flatMap(({ der }) => readCertificates(der))
  const keyBlock = blocksOf(ctx, keyPem, 'PRIVATE KEY').find(({ label }) =>
    /(?:^| )PRIVATE KEY$/.test(label),
  )
  const [leaf] = certificates
  if (leaf === undefined || keyBlock === undefined)
    throw new BuiltinError('failed to find a key pair in PEM data')
  const key = anyPrivateKey(keyBlock.der)
  const own = createPublicKey(key).export({ format: 'der', type: 'spki' })
  if (
    !new X509Certificate(leaf.raw).publicKey.export({ format: 'der', type: 'spki' }).equals(own)
  ) {
    throw new BuiltinError('tls: private key does not match public key')
  }
  return struct({
    Certificate: certificates.map(({ raw }) => raw.toString('base64')),
    PrivateKey: keyValue(key),
    SupportedSignatureAlgorithms: null,
    OCSPStaple: null,
    SignedCertificateTimestamps: null,
    Leaf: certificateValue(leaf),
  })
}

/** Of PEM text, or of base64 of anything: where this contains no key, the answer is null. */
function parseRsaKey(ctx: BuiltinContext, a: Value): Value {
  const text = asString(a, 1)
  if (text === '') throw new BuiltinError('input PEM data was empty')
  const plain = text.startsWith(BEGIN) ? text : Buffer.from(decodeBase64(text)).toString('latin1')
  const [key] = scatteredKeys(ctx, plain)
  return key === undefined ? null : jwkValue(key)
}

const JSON_OBJECT = objectOf(STRING, ANY)
const CHAIN = tuple(BOOLEAN, arrayOf(JSON_OBJECT))
const VERIFY = 'crypto.x509.parse_and_verify_certificates'

export const x509Builtins: readonly Builtin[] = [
  {
    name: 'crypto.x509.parse_certificates',
    args: [STRING],
    result: arrayOf(JSON_OBJECT),
    call: (ctx, a: Value) => certificatesIn(ctx, asString(a, 1)).map(extendedCertificate),
  },
  {
    name: VERIFY,
    args: [STRING],
    result: CHAIN,
    nondeterministic: true,
    call: (ctx, a: Value) =>
      verified(
        ctx,
        asString(a, 1),
        () => ({ at: now(ctx), usages: [SERVER_AUTH], host: undefined }),
        extendedCertificate,
      ),
  },
  {
    name: `${VERIFY}_with_options`,
    args: [STRING, JSON_OBJECT],
    result: CHAIN,
    nondeterministic: true,
    call: (ctx, a: Value, b: Value) => {
      const [pem, options] = [asString(a, 1), asObject(b, 2)]
      return verified(ctx, pem, () => optionsOf(ctx, options), certificateValue)
    },
  },
  {
    name: 'crypto.x509.parse_certificate_request',
    args: [STRING],
    result: JSON_OBJECT,
    call: parseRequest,
  },
  {
    name: 'crypto.x509.parse_keypair',
    args: [STRING, STRING],
    result: JSON_OBJECT,
    call: parseKeyPair,
  },
  {
    name: 'crypto.x509.parse_rsa_private_key',
    args: [STRING],
    result: JSON_OBJECT,
    call: parseRsaKey,
  },
  {
    name: 'crypto.parse_private_keys',
    args: [STRING],
    result: arrayOf(JSON_OBJECT),
    call: parsePrivateKeys,
  },
]
