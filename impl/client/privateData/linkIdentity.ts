import { type Client, isAddressEqual, type TransactionReceipt } from 'viem'
import { getChainId } from 'viem/actions'
import { type SendingOptions, sendCall } from '../chain/sendCall.ts'
import { InvalidOptionsError } from '../errors/accessErrors.ts'
import { identityRegistryAbi } from '../generated/contractAbis.ts'
import type { Hex } from '../hex.ts'
import { signerOfWallet } from '../intents/signer.ts'
import { checkedLink, defaultDeadline, type IdentityLink, linkLines } from './identityLink.ts'
import { signIdentityLink } from './signIdentityLink.ts'

export type LinkIdentityOptions = IdentityLink &
  SendingOptions & {
    /** Of `signIdentityLink`; both signatures have it. Required if a signature is given. */
    readonly deadline?: number | undefined
    /** Default: made by the wallet, if it is the owner's. */
    readonly ownerSignature?: Hex | undefined
    /** Default: made by the wallet, if it is the user's; that of the owner, if they are the same account. */
    readonly userSignature?: Hex | undefined
  }

/**
 * Links an identity to a policy client and one of its users, with the signatures of both. Anyone may send it. A domain
 * without data may be linked: its data may come later.
 *
 * @throws InvalidOptionsError if a signature is missing that the wallet cannot make; ContractError, with the custom error
 */
export async function linkIdentity(options: LinkIdentityOptions): Promise<TransactionReceipt> {
  const { walletClient, timeoutMs } = options
  const link = checkedLink(options)
  const given = options.ownerSignature ?? options.userSignature
  if (given !== undefined && options.deadline === undefined)
    throw new InvalidOptionsError(
      'A signature is given without its deadline.',
      'Pass the deadline that signIdentityLink has returned.',
    )
  const reader = walletClient as Client
  const deadline = options.deadline ?? (await defaultDeadline(reader))
  const own = async (party: Hex, name: string): Promise<Hex> => {
    if (!isAddressEqual(walletClient.account.address, party))
      throw new InvalidOptionsError(
        `${name} is missing, and the wallet is another account than ${party}.`,
        'Let that account sign with signIdentityLink.',
      )
    const account = signerOfWallet(walletClient)
    const chainId = walletClient.chain?.id ?? (await getChainId(reader))
    const signing = { ...link, account, deadline, chainId, publicClient: reader }
    return (await signIdentityLink({ chain: undefined }, signing)).signature
  }
  const { identityOwner, policyClient, clientUser, identityDomains, identityRegistry } = link
  const owner = options.ownerSignature ?? (await own(identityOwner, 'ownerSignature'))
  const isOne = isAddressEqual(identityOwner, clientUser)
  const user = options.userSignature ?? (isOne ? owner : await own(clientUser, 'userSignature'))
  const args = [identityOwner, policyClient, clientUser, identityDomains, deadline, owner, user]
  return await sendCall(
    { walletClient, timeoutMs },
    {
      ...{ address: identityRegistry, abi: identityRegistryAbi, functionName: 'linkIdentity' },
      args: args.map((each) => (typeof each === 'number' ? BigInt(each) : each)),
    },
    linkLines(link),
  )
}
