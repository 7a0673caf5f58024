import { createHash, randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE } from '@noble/curves/utils.js'

const { Fn, Fp, BASE } = ed25519.Point

/** A Schnorr proof: challenge and response, each 64 hex digits, little-endian (decision K16). */
export type SealerProof = { readonly challenge: string; readonly response: string }

/** What is proven about: all of an envelope. */
export type ProvenEnvelope = {
  /** 32 bytes, as are `recipient` and the secret. */
  readonly enc: Uint8Array
  readonly ciphertext: Uint8Array
  /** 20 bytes. */
  readonly policyClient: Uint8Array
  readonly chainId: number
  readonly recipient: Uint8Array
}

const label = 'threshold proof of knowledge 1'

/** Each part behind its length. */
function framed(...parts: readonly (string | Uint8Array)[]): Buffer {
  const all = parts.map((part) => Buffer.from(part as Uint8Array))
  return Buffer.concat(
    all.flatMap((part) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(part.length)
      return [length, part]
    }),
  )
}

function contextOf({ enc, ciphertext, policyClient, chainId, recipient }: ProvenEnvelope): Buffer {
  const chain = Buffer.alloc(8)
  chain.writeBigUInt64BE(BigInt(chainId))
  return framed('sealed envelope 1', enc, ciphertext, policyClient, chain, recipient)
}

/** The scalar of an X25519 private key, clamped as RFC 7748 requires. */
function scalarOf(secret: Uint8Array): bigint {
  const clamped = Uint8Array.from(secret)
  clamped[0] = clamped[0]! & 248
  clamped[31] = (clamped[31]! & 127) | 64
  return Fn.create(bytesToNumberLE(clamped))
}

/** The challenge for an announcement, which is 32 bytes. */
export function challengeOf(
  envelope: ProvenEnvelope,
  statement: Uint8Array,
  announced: Uint8Array,
): bigint {
  const bytes = framed(label, contextOf(envelope), statement, announced)
  return Fn.create(bytesToNumberLE(createHash('sha512').update(bytes).digest()))
}

/**
 * The proof that a sealer knows the secret of the encapsulated key of its envelope (decision K16):
 * operators that share the privacy key open no other.
 *
 * @param secret the X25519 private key of `enc`
 */
export function proveSealer(secret: Uint8Array, envelope: ProvenEnvelope): SealerProof {
  const scalar = scalarOf(secret)
  // `enc` stands for a point and its negative; the proof is for the one with an even x.
  const point = BASE.multiply(scalar)
  const isEven = (Fp.create(point.toAffine().x) & 1n) === 0n
  const [image, known] = isEven ? [point, scalar] : [point.negate(), Fn.neg(scalar)]
  const nonce = Fn.create(bytesToNumberLE(randomBytes(64)))
  const statement = Buffer.concat([BASE.toBytes(), image.toBytes()])
  const challenge = challengeOf(envelope, statement, BASE.multiply(nonce).toBytes())
  const response = Fn.add(nonce, Fn.mul(challenge, known))
  const hexOf = (value: bigint) => Buffer.from(Fn.toBytes(value)).toString('hex')
  return { challenge: hexOf(challenge), response: hexOf(response) }
}
