import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE } from '@noble/curves/utils.js'
import { hexToBytes } from 'viem'
import type { Envelope } from './envelope.ts'
import { challengeOf } from './sealerProof.ts'

const { Fn, Fp, BASE } = ed25519.Point
const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
const scalarOf = (hex: string) => Fn.fromBytes(bytesOf(hex))

/** The point with an even x of an X25519 public key, which is a Montgomery u: y = (u-1)/(u+1). */
function pointOf(enc: string) {
  const u = bytesToNumberLE(bytesOf(enc))
  const y = Fp.div(Fp.sub(u, 1n), Fp.add(u, 1n))
  // The sign bit of the encoding is the parity of x.
  return ed25519.Point.fromBytes(Fp.toBytes(y))
}

/** Whether the proof of an envelope holds, as decision K16 has members verify it. */
export function isProven(envelope: Envelope): boolean {
  const { challenge, response } = envelope.proof!
  const image = pointOf(envelope.enc)
  const announced = BASE.multiply(scalarOf(response)).subtract(image.multiply(scalarOf(challenge)))
  const all = {
    enc: bytesOf(envelope.enc),
    ciphertext: bytesOf(envelope.ciphertext),
    policyClient: hexToBytes(envelope.policy_client),
    chainId: envelope.chain_id,
    recipient: bytesOf(envelope.recipient_pubkey),
  }
  const statement = Buffer.concat([BASE.toBytes(), image.toBytes()])
  return challengeOf(all, statement, announced.toBytes()) === scalarOf(challenge)
}
