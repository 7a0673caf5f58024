import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import { parseEnvelope, type SecureEnvelope } from '../envelopes/envelope.ts'
import { EnvelopeError } from '../envelopes/envelopeError.ts'

export type CheckEnvelopeOptions = {
  readonly envelope: string
  /** As the caller says. */
  readonly chainId: number
  /** Of this gateway. */
  readonly ownChainId: number
  /** Public keys that data may be sealed to, hex in lower case. */
  readonly recipients: readonly string[]
}

/**
 * Reads an envelope that the gateway keeps and never opens: its form (decision K1), that both it and
 * the caller name the chain of this gateway, and that it says to be sealed to a key that the operators
 * can open it with (decision K11). What is sealed to another key would be found useless only when a
 * task needs it.
 *
 * @throws ServiceError -32602 naming the member
 */
export const checkEnvelope = (options: CheckEnvelopeOptions): SecureEnvelope => {
  const { envelope, chainId, ownChainId, recipients } = options
  const otherChain = (member: string) =>
    invalidFormat(`${member} must be ${ownChainId}, the chain of this gateway`)
  if (chainId !== ownChainId) throw otherChain('chain_id')
  // A half of a surrogate pair has no UTF-8 bytes, hence no reference.
  if (/\p{Surrogate}/u.test(envelope)) throw invalidFormat('envelope is not well-formed Unicode')
  const members = parse(envelope)
  if (members.chain_id !== ownChainId) throw otherChain('envelope.chain_id')
  if (!recipients.includes(members.recipient_pubkey.toLowerCase()))
    throw invalidFormat(
      'envelope.recipient_pubkey is not the privacy key; seal to the one that getPrivacyPublicKey answers',
    )
  return members
}

const parse = (envelope: string): SecureEnvelope => {
  try {
    return parseEnvelope(envelope)
  } catch (error) {
    if (error instanceof EnvelopeError) throw invalidFormat(error.message)
    throw error
  }
}
