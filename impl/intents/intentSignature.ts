import { hashTypedData, recoverAddress, type TypedDataDomain } from 'viem'
import { errorCode } from '../protocol/jsonRpc.ts'
import type { Address, Bytes32, Hex } from '../protocol/scalars.ts'
import { ServiceError } from '../protocol/serviceError.ts'
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

/** The four members of the signing domain (section 4.2). */
export type IntentDomain = {
  readonly name: string
  readonly version: string
  readonly chainId: bigint | number
  readonly verifyingContract: Address
}

/** Typed data ready for `signTypedData` of any wallet. */
export const intentTypedData = (intent: Intent, domain: IntentDomain) => ({
  domain: { ...domain, chainId: BigInt(domain.chainId) } satisfies TypedDataDomain,
  types: intentTypes,
  primaryType: 'Intent' as const,
  message: intent,
})

/** What is signed. */
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
