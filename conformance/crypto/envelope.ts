import type { webcrypto } from 'node:crypto'
import { AeadId, CipherSuite, KdfId, KemId } from 'hpke-js'
import { concat, type Hex, hexToBytes, keccak256, numberToHex } from 'viem'
import { proveSealer, type SealerProof } from './sealerProof.ts'

/** A SecureEnvelope (section 2.5, decision K1): byte strings are hex without `0x`. */
export type Envelope = {
  readonly enc: string
  readonly ciphertext: string
  readonly policy_client: Hex
  readonly chain_id: number
  readonly recipient_pubkey: string
  /** Not part of the specification: only where operators share the privacy key (decision K16). */
  readonly proof?: SealerProof
}

export type SealOptions = {
  /** Text is sealed as UTF-8. */
  readonly plaintext: string | Uint8Array
  /** The policy client, or the provider of confidential data (decision K4). */
  readonly policyClient: Hex
  readonly chainId: number
  /** 64 hex digits, with or without `0x`. */
  readonly recipient: string
  /** Adds the proof of the sealer (decision K16). Default false. */
  readonly proven?: boolean
}

/** The suite of section 5.3: base mode, X25519, HKDF-SHA256, ChaCha20Poly1305. */
const suite = new CipherSuite({
  kem: KemId.DhkemX25519HkdfSha256,
  kdf: KdfId.HkdfSha256,
  aead: AeadId.Chacha20Poly1305,
})

/** The associated data that binds an envelope to a client and a chain (decision K2). */
export const associatedData = (policyClient: Hex, chainId: number): Uint8Array =>
  hexToBytes(keccak256(concat([policyClient, numberToHex(chainId, { size: 8 })])))

const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer
const hexOf = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('hex')
const bare = (hex: string): string => hex.replace(/^0x/, '')

/** A new X25519 public key whose private key is discarded: 64 hex digits. */
export const strangersKey = async (): Promise<string> => (await generateKeyPair()).publicKey

export type KeyPair = { readonly publicKey: string; readonly privateKey: webcrypto.CryptoKey }

/** A new X25519 key pair: the public key as 64 hex digits, and the key that opens envelopes. */
export async function generateKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await suite.kem.generateKeyPair()
  return { publicKey: hexOf(await suite.kem.serializePublicKey(publicKey)), privateKey }
}

/** The plaintext; undefined for an envelope that this key does not open. */
export async function open(
  envelope: Envelope,
  privateKey: webcrypto.CryptoKey,
): Promise<Buffer | undefined> {
  try {
    const plaintext = await suite.open(
      { recipientKey: privateKey, enc: bufferOf(Buffer.from(bare(envelope.enc), 'hex')) },
      bufferOf(Buffer.from(bare(envelope.ciphertext), 'hex')),
      bufferOf(associatedData(envelope.policy_client, envelope.chain_id)),
    )
    return Buffer.from(plaintext)
  } catch {
    return undefined
  }
}

/** Seals as a caller does before an upload; the envelope is sent as its `JSON.stringify`. */
export async function seal(options: SealOptions): Promise<Envelope> {
  const { plaintext, policyClient, chainId, recipient, proven = false } = options
  const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext, 'utf8') : plaintext
  const recipientKey = Buffer.from(bare(recipient), 'hex')
  const recipientPublicKey = await suite.kem.importKey('raw', bufferOf(recipientKey))
  const own = await suite.kem.generateKeyPair()
  const { enc, ct } = await suite.seal(
    { recipientPublicKey, ekm: own },
    bufferOf(bytes),
    bufferOf(associatedData(policyClient, chainId)),
  )
  const envelope = {
    enc: hexOf(enc),
    ciphertext: hexOf(ct),
    policy_client: policyClient,
    chain_id: chainId,
    recipient_pubkey: bare(recipient),
  }
  if (!proven) return envelope
  const secret = new Uint8Array(await suite.kem.serializePrivateKey(own.privateKey))
  const proof = proveSealer(secret, {
    enc: new Uint8Array(enc),
    ciphertext: new Uint8Array(ct),
    policyClient: hexToBytes(policyClient),
    chainId,
    recipient: recipientKey,
  })
  return { ...envelope, proof }
}
