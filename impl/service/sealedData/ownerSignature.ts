import { secp256k1 } from '@noble/curves/secp256k1.js'
import { encryptedIdentityData, identityDomainOf } from 'polgate-chain/identityRegistry.ts'
import type { Address, Bytes32, Data } from 'polgate-protocol/scalars.ts'
import { recoverSigner } from '../ecdsa/recoverSigner.ts'
import { typedDataDigest } from '../ecdsa/typedDataDigest.ts'
import type { SealedDataChain } from './sealedDataChain.ts'

export type OwnerClaim = {
  /** In lower case. */
  readonly owner: Address
  readonly signature: Data
  readonly envelope: string
}

/** The digest that an identity owner signs (decision K6). */
const digestOf = (envelope: string, chainId: number, identityRegistry: Address): Bytes32 =>
  typedDataDigest({
    domain: identityDomainOf(chainId, identityRegistry),
    ...encryptedIdentityData,
    message: { data: envelope },
  })

/**
 * Half the curve order: of the two forms of a signature, only the one with the lower `s` is valid.
 */
const maxS = secp256k1.Point.Fn.ORDER / 2n

/** The signer, in lower case, of 65 bytes `r ‖ s ‖ v`; undefined if invalid. */
async function signerOf(digest: Bytes32, signature: Data): Promise<Address | undefined> {
  if (signature.length !== 2 + 2 * 65) return undefined
  if (BigInt(`0x${signature.slice(66, 130)}`) > maxS) return undefined
  return await recoverSigner(digest, signature)
}

/**
 * Whether the owner signed the envelope under the domain of the identity registry (decision K6):
 * with its key or, for a contract, with a signature that the contract accepts (ERC-1271).
 *
 * @throws ServiceError -32616 without a registry; ChainReadError
 */
export async function isSignedByOwner(
  chain: SealedDataChain,
  { owner, signature, envelope }: OwnerClaim,
): Promise<boolean> {
  const digest = digestOf(envelope, chain.chainId, chain.identityRegistry())
  const signer = await signerOf(digest, signature)
  if (signer === owner) return true
  return chain.isContractSignature({ account: owner, digest, signature })
}
