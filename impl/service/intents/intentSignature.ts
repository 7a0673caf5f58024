import type { IntentDomain } from 'polgate-chain/intentDomain.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { Address, Bytes32, Hex } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { hashTypedData, recoverAddress } from 'viem'
import { bytesOf } from './decodeArguments.ts'
import type { Intent } from './intent.ts'

/** EIP-712 types of the signature of an intent (section 4.2). */
export const intentTypes = {
  Intent: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'chainId', type: 'uint256' },
    { name: 'functionSignature', type: 'bytes' },
  ],
} as const

/** Members of a signing domain in the order in which EIP-712 hashes them. */
const domainTypes = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const

/**
 * Typed data ready for `signTypedData` of any wallet. The domain's type names the members that the
 * domain has, an empty version among them, which a library would leave out if it had to guess.
 */
export const intentTypedData = (intent: Intent, domain: IntentDomain) => ({
  domain,
  types: withDomainType(domain),
  primaryType: 'Intent' as const,
  message: intent,
})

/** viem infers the domain's members from its type, which is known only at run time here. */
const withDomainType = (domain: IntentDomain): typeof intentTypes => {
  const EIP712Domain = domainTypes.filter(({ name }) => domain[name] !== undefined)
  return { ...intentTypes, EIP712Domain } as typeof intentTypes
}

/** What is signed; `input.intent_digest` of a policy (decision R1). */
export const intentDigest = (intent: Intent, domain: IntentDomain): Bytes32 =>
  hashTypedData(intentTypedData(intent, domain))

/**
 * A signature as it was sent, with or without `0x` (decision E4), as 65 bytes of hex.
 *
 * @throws ServiceError `Failed to encode intent signature: expected exactly 65 bytes, got N`
 */
export const encodeIntentSignature = (sent: string): Hex => {
  const hex = (sent.startsWith('0x') ? sent : `0x${sent}`).toLowerCase() as Hex
  const size = bytesOf(hex).length
  if (size === 65 && hex.length === 132) return hex
  throw new ServiceError(
    `Failed to encode intent signature: expected exactly 65 bytes, got ${size}`,
    {
      code: errorCode.policyEvaluation,
      clause: 'section 4.2',
      hint: 'Send the r, s, v of an EIP-712 signature, or leave the member out.',
    },
  )
}

/** Who signed the intent for this domain; undefined when the signature is nobody's. */
export const recoverIntentSigner = async (
  intent: Intent,
  domain: IntentDomain,
  signature: Hex,
): Promise<Address | undefined> => {
  try {
    return await recoverAddress({ hash: intentDigest(intent, domain), signature })
  } catch {
    return undefined
  }
}
