import { revokeIdentityLinks } from 'polgate-client/index.ts'
import { withClientErrors } from '../stack/asCommandFailure.ts'
import { findTarget } from '../stack/serviceTarget.ts'
import { accountNames, addressNamed } from '../task/intentOptions.ts'
import { domainOf } from './domainOption.ts'
import {
  accountOf,
  type KeyOptions,
  type PolicyClientOptions,
  policyClientOf,
  registryOf,
  walletOf,
} from './privateTarget.ts'

export type RevokeOptions = KeyOptions &
  PolicyClientOptions & {
    readonly user?: string
    readonly domain: readonly string[]
    readonly target?: string
    readonly json?: boolean
  }

/** `polgate identity revoke`. @throws CommandError */
export async function revokeIdentity(options: RevokeOptions): Promise<void> {
  const identityDomains = options.domain.map(domainOf)
  const target = await findTarget(options.target)
  const account = await accountOf(target, options, 'sender')
  const policyClient = await policyClientOf(target, options)
  const clientUser =
    options.user === undefined
      ? account.address
      : addressNamed('--user', options.user, accountNames(target))
  const receipt = await withClientErrors(() =>
    revokeIdentityLinks({
      walletClient: walletOf(target, account),
      identityRegistry: registryOf(target, 'identityRegistry'),
      ...{ policyClient, clientUser, identityDomains },
    }),
  )
  const block = Number(receipt.blockNumber)
  console.log(
    options.json
      ? JSON.stringify({ policyClient, clientUser, identityDomains, block })
      : `revoked  in block ${block}: no task of ${clientUser} at ${policyClient} reads it from then on`,
  )
}
