import { keccak256 } from 'polgate-chain/keccak256.ts'
import type { IntentDomain } from 'polgate-lib/intents/intentDomain.ts'
import { domainMembers, domainType, intentTypes } from 'polgate-lib/intents/intentTypedData.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { Bytes32, Hex } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { concatHex, encodeAbiParameters, hashDomain, stringToHex } from 'viem'
import { bytesOf } from './decodeArguments.ts'
import type { Intent } from './intent.ts'

const typeHash = keccak256(
  stringToHex(`Intent(${intentTypes.Intent.map(({ name, type }) => `${type} ${name}`).join(',')})`),
)
/** Types of the hashed members: EIP-712 hashes bytes first. */
const memberTypes = [
  { type: 'bytes32' },
  ...intentTypes.Intent.map(({ type }) => ({ type: type === 'bytes' ? 'bytes32' : type })),
]

/**
 * The EIP-712 digest; `input.intent_digest` of a policy (decision R1). The same as
 * `hashTypedData(intentTypedData(intent, domain))`, which takes ten times as long.
 */
export function intentDigest(intent: Intent, domain: IntentDomain): Bytes32 {
  const { from, to, value, data, chainId, functionSignature } = intent
  const members = [from, to, value, keccak256(data), chainId, keccak256(functionSignature)]
  const struct = keccak256(encodeAbiParameters(memberTypes, [typeHash, ...members]))
  return keccak256(concatHex(['0x1901', separatorOf(domain), struct]))
}

const separators = new Map<string, Hex>()
const maxSeparators = 256

/** Domains repeat: each client has one. */
function separatorOf(domain: IntentDomain): Hex {
  const key = domainMembers
    .map(({ name }) => JSON.stringify(domain[name]?.toString() ?? null))
    .join()
  const known = separators.get(key)
  if (known !== undefined) return known
  const types = { EIP712Domain: domainType(domain) }
  const separator = hashDomain({ domain, types } as unknown as Parameters<typeof hashDomain>[0])
  if (separators.size >= maxSeparators) separators.clear()
  separators.set(key, separator)
  return separator
}

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
