import { type Hex, hexToBigInt, parseAbi, type TypedDataDomain } from 'viem'
import type { Intent } from '../../arbitraries/intent.ts'
import type { CheckContext } from '../../core/context.ts'
import { chainIdOf } from './requests.ts'

const types = {
  Intent: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'chainId', type: 'uint256' },
    { name: 'functionSignature', type: 'bytes' },
  ],
} as const

/** The typed data signed by a caller (section 4.2). */
export const typedIntent = (domain: TypedDataDomain, intent: Intent) => ({
  domain,
  types,
  primaryType: 'Intent' as const,
  message: {
    from: intent.from,
    to: intent.to,
    value: hexToBigInt(intent.value),
    data: intent.data,
    chainId: BigInt(intent.chain_id),
    functionSignature: intent.function_signature,
  },
})

/** The domain by the client's constructor arguments, for a client that exposes none. */
export function domainOf(t: CheckContext, name: string): TypedDataDomain {
  const client = t.client(name)
  return { ...client.domain, chainId: chainIdOf(t), verifyingContract: client.policyClient }
}

const eip5267 = parseAbi([
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
])

/** The domain as reported by the client. */
export async function readDomain(t: CheckContext, name: string): Promise<TypedDataDomain> {
  const [, domainName, version, chainId, verifyingContract] = await t.chain().readContract({
    address: t.client(name).policyClient,
    abi: eip5267,
    functionName: 'eip712Domain',
  })
  return {
    name: domainName,
    version,
    chainId: Number(chainId),
    verifyingContract: verifyingContract as Hex,
  }
}

/** The text whose signature the policy of the fixture `signed-intent` requires. */
export const approvalMessage = (intent: Intent): string =>
  [
    'I approve this intent',
    `from: ${intent.from.toLowerCase()}`,
    `to: ${intent.to.toLowerCase()}`,
    `value: ${hexToBigInt(intent.value)}`,
    `data: ${intent.data}`,
    `chain: ${BigInt(intent.chain_id)}`,
  ].join('\n')
