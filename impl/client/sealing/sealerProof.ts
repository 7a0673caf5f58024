import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE } from '@noble/curves/utils.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { hexOf } from './bytes.ts'

const { Fn, Fp, BASE } = ed25519.Point

/** A Schnorr proof: challenge and response, each 64 hex digits, little-endian. */
export type SealerProof = { readonly challenge: string; readonly response: string }

/** What is proven about: every other member of the envelope. */
export type ProvenEnvelope = {
  readonly enc: Uint8Array
  readonly ciphertext: Uint8Array
  /** 20 bytes. */
  readonly policyClient: Uint8Array
  readonly chainId: number
  readonly recipient: Uint8Array
}

/** The key pair of one envelope: `publicKey` is its encapsulated key. */
export function sealerKeyPair(): { readonly secret: Uint8Array; readonly publicKey: Uint8Array } {
  const secret = crypto.getRandomValues(new Uint8Array(32))
  return { secret, publicKey: x25519.getPublicKey(secret) }
}

/**
 * Proves that the sealer knows the secret of the encapsulated key, for this envelope alone
 * (decision K16). Otherwise an operator could put the key of somebody else's envelope into one of
 * its own, and have the others compute the secret that both share.
 */
export function proveSealer(secret: Uint8Array, envelope: ProvenEnvelope): SealerProof {
  const clamped = Uint8Array.from(secret)
  clamped[0] = clamped[0]! & 248
  clamped[31] = (clamped[31]! & 127) | 64
  const scalar = Fn.create(bytesToNumberLE(clamped))
  clamped.fill(0)
  // A coordinate stands for a point and its negative; verifiers take that with an even x.
  const own = BASE.multiply(scalar)
  const isEven = (Fp.create(own.toAffine().x) & 1n) === 0n
  const [image, known] = isEven ? [own, scalar] : [own.negate(), Fn.neg(scalar)]
  const context = contextOf(envelope)
  const statement = concat([BASE.toBytes(), image.toBytes()])
  const random = crypto.getRandomValues(new Uint8Array(32))
  const nonce = hashToScalar(`${label} nonce`, Fn.toBytes(known), random, context, statement)
  const announced = BASE.multiply(nonce).toBytes()
  const challenge = hashToScalar(label, context, statement, announced)
  const response = Fn.add(nonce, Fn.mul(challenge, known))
  return { challenge: hexOf(Fn.toBytes(challenge)), response: hexOf(Fn.toBytes(response)) }
}

const label = 'threshold proof of knowledge 1'

function contextOf(envelope: ProvenEnvelope): Uint8Array {
  const chain = new Uint8Array(8)
  new DataView(chain.buffer).setBigUint64(0, BigInt(envelope.chainId))
  const { enc, ciphertext, policyClient, recipient } = envelope
  return framed('sealed envelope 1', enc, ciphertext, policyClient, chain, recipient)
}

const hashToScalar = (name: string, ...parts: readonly Uint8Array[]): bigint =>
  Fn.create(bytesToNumberLE(sha512(framed(name, ...parts))))

/** Each part behind its length. */
function framed(name: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const all = [new TextEncoder().encode(name), ...parts]
  return concat(
    all.flatMap((part) => {
      const length = new Uint8Array(4)
      new DataView(length.buffer).setUint32(0, part.length)
      return [length, part]
    }),
  )
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((size, { length }) => size + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
