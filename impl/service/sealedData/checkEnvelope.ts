import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import { parseEnvelope, type SecureEnvelope } from '../envelopes/envelope.ts'
import { EnvelopeError } from '../envelopes/envelopeError.ts'

export type CheckEnvelopeOptions = {
  readonly envelope: string
  /** What it is stored for. */
  readonly use: 'identity' | 'confidential'
  /** From the request. */
  readonly chainId: number
  /** Of this gateway. */
  readonly ownChainId: number
  /** Accepted public keys, hex in lower case. */
  readonly recipients: readonly string[]
}

/**
 * Validates an envelope that the gateway stores and does not decrypt: its format (decision K1), the
 * chain in envelope and request, and that it is sealed to an accepted key (decision K11). Data
 * sealed to another key would otherwise only fail when a task needs it.
 *
 * @throws ServiceError -32602 with the member
 */
export function checkEnvelope(options: CheckEnvelopeOptions): SecureEnvelope {
  const { envelope, use, chainId, ownChainId, recipients } = options
  const otherChain = (member: string) =>
    invalidFormat(`${member} must be ${ownChainId}, the chain of this gateway`)
  if (chainId !== ownChainId) throw otherChain('chain_id')
  // A lone surrogate has no UTF-8 encoding, and hence no reference.
  if (/\p{Surrogate}/u.test(envelope)) throw invalidFormat('envelope is not well-formed Unicode')
  const members = parse(envelope)
  if (members.chain_id !== ownChainId) throw otherChain('envelope.chain_id')
  if (!recipients.includes(members.recipient_pubkey.toLowerCase()))
    throw invalidFormat(
      'envelope.recipient_pubkey is not the privacy key; use the key from getPrivacyPublicKey',
    )
  if (members.bound_use !== undefined && members.bound_use !== use)
    throw invalidFormat(`envelope.bound_use is ${members.bound_use}, not ${use}`)
  return members
}

function parse(envelope: string): SecureEnvelope {
  try {
    return parseEnvelope(envelope)
  } catch (error) {
    if (error instanceof EnvelopeError) throw invalidFormat(error.message)
    throw error
  }
}
