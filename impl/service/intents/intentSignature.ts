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

/** Members of a signing domain in the order of EIP-712. */
const domainTypes = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const

/**
 * Typed data for `signTypedData` of any wallet. The domain type lists the members that the domain
 * has, including an empty version, which libraries would omit if they inferred the type.
 */
export const intentTypedData = (intent: Intent, domain: IntentDomain) => ({
  domain,
  types: withDomainType(domain),
  primaryType: 'Intent' as const,
  message: intent,
})

/** viem infers the domain's members from its type, which is only known at run time here. */
function withDomainType(domain: IntentDomain): typeof intentTypes {
  const EIP712Domain = domainTypes.filter(({ name }) => domain[name] !== undefined)
  return { ...intentTypes, EIP712Domain } as typeof intentTypes
}

/** The EIP-712 digest; `input.intent_digest` of a policy (decision R1). */
export const intentDigest = (intent: Intent, domain: IntentDomain): Bytes32 =>
  hashTypedData(intentTypedData(intent, domain))

/**
 * Normalizes a signature, with or without `0x` (decision E4), to 65 bytes of hex.
 *
 * @throws ServiceError `Failed to encode intent signature: expected exactly 65 bytes, got N`
 */
export function encodeIntentSignature(sent: string): Hex {
  const hex = (sent.startsWith('0x') ? sent : `0x${sent}`).toLowerCase() as Hex
  const size = bytesOf(hex).length
  if (size === 65 && hex.length === 132) return hex
  throw new ServiceError(
    `Failed to encode intent signature: expected exactly 65 bytes, got ${size}`,
    {
      code: errorCode.policyEvaluation,
      clause: 'section 4.2',
      hint: 'Send the r, s, v of an EIP-712 signature, or omit the member.',
    },
  )
}

/** The signer of the intent for this domain; undefined for an invalid signature. */
export async function recoverIntentSigner(
  intent: Intent,
  domain: IntentDomain,
  signature: Hex,
): Promise<Address | undefined> {
  try {
    return await recoverAddress({ hash: intentDigest(intent, domain), signature })
  } catch {
    return undefined
  }
}
