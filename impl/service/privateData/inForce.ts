import type { ConfidentialSource } from 'polgate-chain/confidentialDataRegistry.ts'
import type { ClientUser, IdentityLink } from 'polgate-chain/identityRegistry.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { GrantChain } from './grantChain.ts'

/** `inForce`: also at the latest block, so that a revocation counts at once. */
type InForce<T> = T & { readonly inForce: boolean }

/** The identities that a user has linked to a client at a block. */
export async function linksAt(
  chain: GrantChain,
  of: ClientUser,
  block: number,
): Promise<readonly InForce<IdentityLink>[]> {
  const [then, now] = await Promise.all([
    chain.identityLinks(of, block),
    chain.identityLinks(of, 'latest'),
  ])
  return then.map((link) => ({
    ...link,
    inForce: now.some(
      ({ identityDomain, identityOwner }) =>
        same(identityDomain, link.identityDomain) && same(identityOwner, link.identityOwner),
    ),
  }))
}

/** The sources that a client has set at a block. */
export async function sourcesAt(
  chain: GrantChain,
  policyClient: Address,
  block: number,
): Promise<readonly InForce<ConfidentialSource>[]> {
  const [then, now] = await Promise.all([
    chain.confidentialSources(policyClient, block),
    chain.confidentialSources(policyClient, 'latest'),
  ])
  return then.map((source) => ({
    ...source,
    inForce: now.some(
      ({ dataType, provider, domain, granted }) =>
        granted &&
        dataType === source.dataType &&
        same(provider, source.provider) &&
        same(domain, source.domain),
    ),
  }))
}

/** Hex of any case. */
export const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
