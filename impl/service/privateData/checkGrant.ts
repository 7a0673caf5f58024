import { dataReferenceOf } from '../envelopes/dataReference.ts'
import { parseEnvelope } from '../envelopes/envelope.ts'
import type { Grant } from './grant.ts'
import type { GrantChain } from './grantChain.ts'
import { userOf, verifiedTask } from './grantedTask.ts'
import { grantRefused } from './grantRefused.ts'
import { linksAt, same, sourcesAt } from './inForce.ts'

/**
 * Verifies against the chain that a task may open an envelope (section 4.10): at its reference block,
 * and still at the latest.
 *
 * @throws ServiceError with the reason why not
 */
export async function checkGrant(
  chain: GrantChain,
  { grant, envelope }: { readonly grant: Grant; readonly envelope: string },
  signal: AbortSignal,
): Promise<void> {
  const context = await verifiedTask(chain, grant, signal)
  const { policyClient, referenceBlock: block } = grant
  const { policy_client: sealedFor, chain_id: sealedOn, bound_use } = parseEnvelope(envelope)
  if (sealedOn !== chain.chainId) throw grantRefused('the envelope is for another chain')
  if (bound_use !== undefined && bound_use !== grant.kind)
    throw grantRefused(`the envelope is sealed for use ${bound_use}`)
  const reference = dataReferenceOf(envelope)

  switch (grant.kind) {
    case 'identity': {
      const clientUser = await userOf(grant, context)
      if (clientUser === undefined) throw grantRefused('no account has signed the intent')
      const links = await linksAt(chain, { policyClient, clientUser }, block)
      const link = links.find(({ identityDomain }) => same(identityDomain, grant.domain))
      if (link === undefined) throw grantRefused('the user has linked no such identity')
      if (!link.inForce) throw grantRefused('the link of the identity was revoked', true)
      if (!same(link.dataRefId, reference)) throw grantRefused('the envelope is not the bound one')
      // Otherwise anybody could register a copy of an envelope as data of their own.
      if (!same(sealedFor, link.identityOwner))
        throw grantRefused('the envelope is of another identity owner')
      return
    }
    case 'confidential': {
      const sources = await sourcesAt(chain, policyClient, block)
      const source = sources.find(({ dataType }) => dataType === grant.dataType)
      if (source === undefined) throw grantRefused('the client has set no such source')
      if (!same(source.provider, grant.provider) || !same(source.domain, grant.domain))
        throw grantRefused('the client has set another source')
      if (!source.granted) throw grantRefused('the provider has not granted its data')
      if (!source.inForce) throw grantRefused('the grant of the provider was revoked', true)
      if (!same(source.dataRefId, reference))
        throw grantRefused('the envelope is not the published version')
      if (!same(sealedFor, grant.provider))
        throw grantRefused('the envelope is of another provider')
      return
    }
    case 'ephemeral':
      if (!same(sealedFor, policyClient)) throw grantRefused('the envelope is for another client')
      return
  }
}
