import { linkIdentity as link, signIdentityLink } from 'polgate-client/index.ts'
import type { IdentityLink } from 'polgate-client/privateData/identityLink.ts'
import { type Hex, isAddressEqual } from 'viem'
import { CommandError } from '../commandDefinition.ts'
import { withClientErrors } from '../stack/asCommandFailure.ts'
import { findTarget, type ServiceTarget, viemChainOf } from '../stack/serviceTarget.ts'
import { accountNames, addressNamed } from '../task/intentOptions.ts'
import { domainOf } from './domainOption.ts'
import { type LinkSignature, readLinkSignature } from './linkSignature.ts'
import {
  accountOf,
  type KeyOptions,
  type PolicyClientOptions,
  policyClientOf,
  registryOf,
  walletOf,
} from './privateTarget.ts'

export type LinkOptions = KeyOptions &
  PolicyClientOptions & {
    readonly owner?: string
    readonly user?: string
    readonly userKey?: string
    readonly domain?: readonly string[]
    readonly signOnly?: boolean
    readonly signed?: string
    readonly target?: string
    readonly json?: boolean
  }

/**
 * `polgate identity link`: signs with the keys that are here, takes the other signature from a file, and sends; or only
 * signs. @throws CommandError
 */
export async function linkIdentity(options: LinkOptions): Promise<void> {
  const other = options.signed === undefined ? undefined : await readLinkSignature(options.signed)
  if (other !== undefined && options.signOnly)
    throw new CommandError('--sign-only and --signed exclude each other', {
      hint: '--sign-only makes the file that --signed takes.',
    })
  const target = await findTarget(options.target)
  const account = await accountOf(target, options, 'sender')
  const wanted = await linkOf(target, options, account.address, other)
  const chain = viemChainOf(target)
  const walletClient = walletOf(target, account)
  if (options.signOnly) {
    const signed = await withClientErrors(() =>
      signIdentityLink({ chain }, { ...wanted, account, publicClient: walletClient }),
    )
    const file = { ...wanted, ...signed, chainId: chain.id, signer: account.address }
    console.log(JSON.stringify(file satisfies LinkSignature))
    return
  }
  const receipt = await withClientErrors(async () => {
    const signatures = await signaturesOf(target, options, wanted, other)
    return await link({ ...wanted, walletClient, ...signatures })
  })
  const block = Number(receipt.blockNumber)
  const { identityOwner, policyClient, clientUser, identityDomains } = wanted
  if (options.json) {
    console.log(JSON.stringify({ identityOwner, policyClient, clientUser, identityDomains, block }))
    return
  }
  console.log(`linked    in block ${block}`)
  console.log(`owner     ${identityOwner}`)
  console.log(`client    ${policyClient}`)
  console.log(`user      ${clientUser}`)
  for (const domain of identityDomains) console.log(`domain    ${domain}`)
}

/** The link of the options, or that of the file; both must agree. */
async function linkOf(
  target: ServiceTarget,
  options: LinkOptions,
  sender: Hex,
  other: LinkSignature | undefined,
): Promise<IdentityLink> {
  const identityRegistry = registryOf(target, 'identityRegistry')
  if (other !== undefined) {
    const given = [options.client, options.package, options.owner, options.user, options.domain]
    if (given.some((each) => each !== undefined))
      throw new CommandError('--signed says already what is linked', {
        hint: 'Leave out --client, --package, --owner, --user and --domain.',
      })
    const { chainId } = viemChain(target)
    if (other.chainId !== chainId || !isAddressEqual(other.identityRegistry, identityRegistry))
      throw new CommandError(`${options.signed} is for another chain or registry`, {
        hint: `The target is chain ${chainId} with the registry ${identityRegistry}.`,
      })
    return other
  }
  const names = accountNames(target)
  const { domain = [], owner, user } = options
  if (domain.length === 0)
    throw new CommandError('no domain is given', { hint: 'Pass --domain, once for each.' })
  return {
    identityRegistry,
    identityOwner: owner === undefined ? sender : addressNamed('--owner', owner, names),
    policyClient: await policyClientOf(target, options),
    clientUser: user === undefined ? sender : addressNamed('--user', user, names),
    identityDomains: domain.map(domainOf),
  }
}

const viemChain = (target: ServiceTarget) => ({ chainId: viemChainOf(target).id })

/** What the wallet cannot sign itself: the signature of the file, or that of `--user-key`. */
async function signaturesOf(
  target: ServiceTarget,
  { userKey }: LinkOptions,
  wanted: IdentityLink,
  other: LinkSignature | undefined,
) {
  if (other !== undefined) {
    const { signature, deadline, signer } = other
    const isOwner = isAddressEqual(signer, wanted.identityOwner)
    return { deadline, ...(isOwner ? { ownerSignature: signature } : { userSignature: signature }) }
  }
  if (userKey === undefined) return {}
  const account = await accountOf(target, { key: userKey })
  const chain = viemChainOf(target)
  const { signature, deadline } = await signIdentityLink({ chain }, { ...wanted, account })
  return { deadline, userSignature: signature }
}
