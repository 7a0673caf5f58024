import type { Address } from 'polgate-protocol/scalars.ts'
import { contextOf, type EnvelopeScope, type EnvelopeUse, envelopeUses } from './binding.ts'
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
  /** Absent in the general form (decision K2); present in the bound form (decision K18). */
  readonly bound_use?: EnvelopeUse
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
  const { enc, ciphertext, policy_client, chain_id, recipient_pubkey, bound_use } = value as Record<
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
  check(
    bound_use === undefined || envelopeUses.includes(bound_use as EnvelopeUse),
    `envelope.bound_use is not one of ${envelopeUses.join(', ')}`,
  )
  return {
    ...{ enc, ciphertext, policy_client, chain_id, recipient_pubkey },
    ...(bound_use === undefined ? {} : { bound_use }),
  } as SecureEnvelope
}

/** With a `use` in the bound form, else in the general form. */
export type SealEnvelopeOptions = EnvelopeScope & {
  readonly plaintext: Uint8Array
  /** 64 hex digits, as returned by the gateway. */
  readonly recipientPublicKey: string
}

/** Encrypts bytes; returns the envelope as a string. */
export async function sealEnvelope(options: SealEnvelopeOptions): Promise<string> {
  const { policyClient, chainId, use, recipientPublicKey, plaintext } = options
  const { enc, ciphertext } = await seal({
    recipientPublicKey: Buffer.from(recipientPublicKey, 'hex'),
    plaintext,
    ...contextOf(use, options),
  })
  const envelope: SecureEnvelope = {
    enc: Buffer.from(enc).toString('hex'),
    ciphertext: Buffer.from(ciphertext).toString('hex'),
    policy_client: policyClient,
    chain_id: chainId,
    recipient_pubkey: recipientPublicKey,
    ...(use === undefined ? {} : { bound_use: use }),
  }
  return JSON.stringify(envelope)
}

/** Where it will be used; an envelope for another client, chain, use or policy data cannot be decrypted. */
export type OpenEnvelopeOptions = EnvelopeScope & {
  readonly envelope: string
  readonly key: EncryptionKey
}

/**
 * Decrypts an envelope where it is used.
 *
 * @throws EnvelopeError `format` or `open`
 */
export async function openEnvelope(options: OpenEnvelopeOptions): Promise<Uint8Array> {
  const { enc, ciphertext, recipient_pubkey, bound_use } = parseEnvelope(options.envelope)
  if (recipient_pubkey.toLowerCase() !== options.key.publicKey)
    throw new EnvelopeError('open', 'envelope was sealed to another key')
  const context = contextOf(bound_use, options)
  try {
    return await open({
      recipient: options.key,
      enc: Buffer.from(enc, 'hex'),
      ciphertext: Buffer.from(ciphertext, 'hex'),
      ...context,
    })
  } catch (cause) {
    throw new EnvelopeError(
      'open',
      bound_use === undefined
        ? 'envelope does not open with this key, policy client and chain'
        : 'envelope does not open with this key, policy client, chain and policy data',
      cause,
    )
  }
}
