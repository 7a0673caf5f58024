import { parseEnvelope, type SecureEnvelope } from '../envelopes/envelope.ts'
import { EnvelopeError } from '../envelopes/envelopeError.ts'
import { invalidFormat } from '../protocol/serviceError.ts'

export type CheckEnvelopeOptions = {
  readonly envelope: string
  /** As the caller says. */
  readonly chainId: number
  /** Of this gateway. */
  readonly ownChainId: number
}

/**
 * Reads an envelope that the gateway keeps and never opens: its form (decision K1), and that both it
 * and the caller name the chain of this gateway. To which key it was sealed is not judged, as the
 * privacy key may have been another one when the data was sealed.
 *
 * @throws ServiceError -32602 naming the member
 */
export const checkEnvelope = (options: CheckEnvelopeOptions): SecureEnvelope => {
  const { envelope, chainId, ownChainId } = options
  const otherChain = (member: string) =>
    invalidFormat(`${member} must be ${ownChainId}, the chain of this gateway`)
  if (chainId !== ownChainId) throw otherChain('chain_id')
  // A half of a surrogate pair has no UTF-8 bytes, hence no reference.
  if (/\p{Surrogate}/u.test(envelope)) throw invalidFormat('envelope is not well-formed Unicode')
  const members = parse(envelope)
  if (members.chain_id !== ownChainId) throw otherChain('envelope.chain_id')
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
