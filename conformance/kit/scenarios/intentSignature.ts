import { type Hex, hexToBigInt, parseAbi, type TypedDataDomain, toBytes } from 'viem'
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

/** Members of a domain in the order of the bits of `fields` of EIP-5267. */
const domainMembers = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const

/** The library would leave an empty version out of a type that it infers. */
const typesOf = (domain: TypedDataDomain) =>
  ({
    ...types,
    EIP712Domain: domainMembers.filter(({ name }) => domain[name] !== undefined),
  }) as typeof types

/** The typed data signed by a caller (section 4.2). */
export const typedIntent = (domain: TypedDataDomain, intent: Intent) => ({
  domain,
  types: typesOf(domain),
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

/** Both strings as bytes: the library would drop a byte order mark, which is part of the hashed text. */
const eip5267 = parseAbi([
  'function eip712Domain() view returns (bytes1 fields, bytes name, bytes version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
])

const textOf = (bytes: Hex) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(toBytes(bytes))

/** The domain as reported by the client: the members that `fields` names. */
export async function readDomain(t: CheckContext, name: string): Promise<TypedDataDomain> {
  const [fields, domainName, version, chainId, verifyingContract, salt] = await t
    .chain()
    .readContract({
      address: t.client(name).policyClient,
      abi: eip5267,
      functionName: 'eip712Domain',
    })
  const stated = {
    name: textOf(domainName),
    version: textOf(version),
    chainId: Number(chainId),
    verifyingContract,
    salt,
  }
  const present = domainMembers.filter((_, bit) => (Number(fields) & (1 << bit)) !== 0)
  return Object.fromEntries(present.map((member) => [member.name, stated[member.name]]))
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
