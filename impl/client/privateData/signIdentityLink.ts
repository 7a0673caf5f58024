import { isAddressEqual } from 'viem'
import { chainIdOf } from '../client/chainIdOf.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { InvalidOptionsError } from '../errors/accessErrors.ts'
import type { Hex } from '../hex.ts'
import { type ChainReader, readerOf } from '../intents/readerOf.ts'
import { addressOf, signTypedMessage, type TypedDataSigner } from '../intents/signer.ts'
import {
  checkedLink,
  defaultDeadline,
  type IdentityLink,
  linkNonceOf,
  linkTypedData,
} from './identityLink.ts'

export type SignIdentityLinkOptions = IdentityLink & {
  /** The identity owner or the user: an account of viem, a smart account (ERC-1271), or a wallet client. */
  readonly account: TypedDataSigner
  /** Unix seconds in the time of the chain; the same for both signatures. Default: in an hour. */
  readonly deadline?: number | undefined
  /** Default: the chain of the client. */
  readonly chainId?: number | undefined
  /** Reads nonce and time. Default: the first RPC URL of the client's chain. */
  readonly publicClient?: ChainReader | undefined
}

export type SignedIdentityLink = {
  /** 65 bytes, or what a smart account returns. */
  readonly signature: Hex
  /** For the other signature, and for `linkIdentity`. */
  readonly deadline: number
}

/**
 * Signs that the policy of a client may read an identity for one of its users (EIP-712). Identity owner and user
 * both sign, each on its own machine if need be; who is both signs once. A signature becomes invalid with the
 * signer's next link or revocation.
 *
 * @throws InvalidOptionsError, also for an account that is neither of the two; ContractError if the chain cannot be read
 */
export async function signIdentityLink(
  client: Pick<BaseClient, 'chain'>,
  options: SignIdentityLinkOptions,
): Promise<SignedIdentityLink> {
  const { account, publicClient, chainId } = options
  const link = checkedLink(options)
  const signer = addressOf(account)
  if (![link.identityOwner, link.clientUser].some((party) => isAddressEqual(party, signer)))
    throw new InvalidOptionsError(
      `${signer} is neither the identity owner nor the user.`,
      'Both of them sign, and nobody else.',
    )
  const reader = readerOf(client, publicClient)
  const deadline = options.deadline ?? (await defaultDeadline(reader))
  const nonce = await linkNonceOf(reader, link.identityRegistry, signer)
  const signed = { chainId: chainIdOf(client, chainId), nonce, deadline }
  const signature = await signTypedMessage(account, linkTypedData(link, signed))
  return { signature, deadline }
}
