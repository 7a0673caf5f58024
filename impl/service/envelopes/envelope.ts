import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { EncryptionKey } from './encryptionKey.ts'
import { EnvelopeError } from './envelopeError.ts'
import { keySize, open, seal } from './hpke.ts'

/** Bounds of decisions, section 9. */
export const maxEnvelopeBytes = 256 * 1024

/** The members of an envelope, which is sent as a JSON string (decision K1). */
export type SecureEnvelope = {
  /** Hex without `0x`: the encapsulated key, 32 bytes. */
  readonly enc: string
  /** Hex without `0x`. */
  readonly ciphertext: string
  readonly policy_client: Address
  readonly chain_id: number
  /** Hex without `0x`: the recipient's public key, 32 bytes. */
  readonly recipient_pubkey: string
}

/**
 * Associated data: keccak256 of client and chain, so that an envelope for one client and chain
 * cannot be decrypted for another (decision K2).
 */
export function envelopeAad(policyClient: Address, chainId: number): Uint8Array {
  const bytes = Buffer.alloc(28)
  bytes.write(policyClient.slice(2), 0, 20, 'hex')
  bytes.writeBigUInt64BE(BigInt(chainId), 20)
  return keccak_256(bytes)
}

const isHex = (value: unknown): value is string =>
  typeof value === 'string' && /^([0-9a-fA-F]{2})*$/.test(value)

function check(condition: boolean, message: string) {
  if (!condition) throw new EnvelopeError('format', message)
}

/**
 * Parses an envelope; unknown members are allowed (decision K1).
 *
 * @throws EnvelopeError `format`, with the name of the member
 */
export function parseEnvelope(text: string): SecureEnvelope {
  check(
    Buffer.byteLength(text) <= maxEnvelopeBytes,
    `envelope is larger than ${maxEnvelopeBytes} bytes`,
  )
  // A lone surrogate has no UTF-8 encoding: the stored text would differ from the sent one.
  check(!/\p{Surrogate}/u.test(text), 'envelope is not well-formed text')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The cause would contain part of the envelope.
    throw new EnvelopeError('format', 'envelope is not JSON')
  }
  check(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    'envelope is not an object',
  )
  const { enc, ciphertext, policy_client, chain_id, recipient_pubkey } = value as Record<
    string,
    unknown
  >
  const isKey = (member: unknown) => isHex(member) && member.length === 2 * keySize
  check(isKey(enc), 'envelope.enc is not 32 bytes of hex without 0x')
  check(isKey(recipient_pubkey), 'envelope.recipient_pubkey is not 32 bytes of hex without 0x')
  check(isHex(ciphertext), 'envelope.ciphertext is not hex without 0x')
  check(
    typeof policy_client === 'string' && /^0x[0-9a-fA-F]{40}$/.test(policy_client),
    'envelope.policy_client is not an address',
  )
  check(
    Number.isSafeInteger(chain_id) && (chain_id as number) >= 0,
    'envelope.chain_id is not a chain id',
  )
  return { enc, ciphertext, policy_client, chain_id, recipient_pubkey } as SecureEnvelope
}

export type SealEnvelopeOptions = {
  readonly plaintext: Uint8Array
  readonly policyClient: Address
  readonly chainId: number
  /** 64 hex digits, as returned by the gateway. */
  readonly recipientPublicKey: string
}

/** Encrypts bytes; returns the envelope as a string. */
export async function sealEnvelope(options: SealEnvelopeOptions): Promise<string> {
  const { policyClient, chainId, recipientPublicKey, plaintext } = options
  const { enc, ciphertext } = await seal({
    recipientPublicKey: Buffer.from(recipientPublicKey, 'hex'),
    plaintext,
    aad: envelopeAad(policyClient, chainId),
  })
  const envelope: SecureEnvelope = {
    enc: Buffer.from(enc).toString('hex'),
    ciphertext: Buffer.from(ciphertext).toString('hex'),
    policy_client: policyClient,
    chain_id: chainId,
    recipient_pubkey: recipientPublicKey,
  }
  return JSON.stringify(envelope)
}

export type OpenEnvelopeOptions = {
  readonly envelope: string
  readonly key: EncryptionKey
  /** Where it will be used; an envelope for another client or chain cannot be decrypted. */
  readonly policyClient: Address
  readonly chainId: number
}

/**
 * Decrypts an envelope for a client on a chain.
 *
 * @throws EnvelopeError `format` or `open`
 */
export async function openEnvelope(options: OpenEnvelopeOptions): Promise<Uint8Array> {
  const { enc, ciphertext, recipient_pubkey } = parseEnvelope(options.envelope)
  if (recipient_pubkey.toLowerCase() !== options.key.publicKey)
    throw new EnvelopeError('open', 'envelope was sealed to another key')
  try {
    return await open({
      recipient: options.key,
      enc: Buffer.from(enc, 'hex'),
      ciphertext: Buffer.from(ciphertext, 'hex'),
      aad: envelopeAad(options.policyClient, options.chainId),
    })
  } catch (cause) {
    throw new EnvelopeError(
      'open',
      'envelope does not open with this key, policy client and chain',
      cause,
    )
  }
}
