import { identityLinks } from 'polgate-client/index.ts'
import { withClientErrors } from '../stack/asCommandFailure.ts'
import { findTarget, viemChainOf } from '../stack/serviceTarget.ts'
import { accountNames, addressNamed } from '../task/intentOptions.ts'
import { type PolicyClientOptions, policyClientOf, registryOf } from './privateTarget.ts'

export type ListIdentityOptions = PolicyClientOptions & {
  readonly user: string
  readonly target?: string
  readonly json?: boolean
}

/** `polgate identity list`. @throws CommandError */
export async function listIdentity(options: ListIdentityOptions): Promise<void> {
  const target = await findTarget(options.target)
  const policyClient = await policyClientOf(target, options)
  const clientUser = addressNamed('--user', options.user, accountNames(target))
  const identityRegistry = registryOf(target, 'identityRegistry')
  const links = await withClientErrors(() =>
    identityLinks({ chain: viemChainOf(target) }, { identityRegistry, policyClient, clientUser }),
  )
  if (options.json) {
    console.log(JSON.stringify({ policyClient, clientUser, links }))
    return
  }
  for (const { identityDomain, identityOwner, dataRefId } of links)
    console.log(`${identityDomain}  owner ${identityOwner}  ${dataRefId ?? 'nothing registered'}`)
  if (links.length === 0) console.log('no identity is linked')
}
