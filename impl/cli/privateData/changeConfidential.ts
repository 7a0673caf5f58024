import {
  grantConfidentialData,
  removeConfidentialSource,
  revokeConfidentialData,
  setConfidentialSource,
} from 'polgate-client/index.ts'
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

type Shared = KeyOptions &
  PolicyClientOptions & { readonly target?: string; readonly json?: boolean }
export type GrantOptions = Shared & { readonly domain: string }
export type RemoveSourceOptions = Shared & { readonly type: string }
export type SetSourceOptions = RemoveSourceOptions & {
  readonly provider: string
  readonly domain: string
}

/** `polgate confidential grant` and `revoke`, by the provider. @throws CommandError */
export async function changeGrant(
  change: 'granted' | 'revoked',
  options: GrantOptions,
): Promise<void> {
  const domain = domainOf(options.domain)
  const { shared } = await signedBy(options, 'provider')
  const { policyClient, walletClient } = shared
  const act = change === 'granted' ? grantConfidentialData : revokeConfidentialData
  const { blockNumber } = await withClientErrors(() => act({ ...shared, domain }))
  const provider = walletClient.account.address
  tell(options, { change, provider, policyClient, domain, block: Number(blockNumber) })
}

/** `polgate confidential source set`, by the client's owner. @throws CommandError */
export async function setSource(options: SetSourceOptions): Promise<void> {
  const domain = domainOf(options.domain)
  const { target, shared } = await signedBy(options, 'owner')
  const { policyClient } = shared
  const provider = addressNamed('--provider', options.provider, accountNames(target))
  const dataType = options.type
  const { blockNumber } = await withClientErrors(() =>
    setConfidentialSource({ ...shared, dataType, provider, domain }),
  )
  const block = Number(blockNumber)
  tell(options, { change: 'set', dataType, policyClient, provider, domain, block })
}

/** `polgate confidential source remove`, by the client's owner. @throws CommandError */
export async function removeSource(options: RemoveSourceOptions): Promise<void> {
  const { shared } = await signedBy(options, 'owner')
  const { policyClient } = shared
  const dataType = options.type
  const { blockNumber } = await withClientErrors(() =>
    removeConfidentialSource({ ...shared, dataType }),
  )
  tell(options, { change: 'removed', dataType, policyClient, block: Number(blockNumber) })
}

/** What a change is sent with. @param usual account of the target that signs by default */
async function signedBy(options: Shared, usual: string) {
  const target = await findTarget(options.target)
  const account = await accountOf(target, options, usual)
  return {
    target,
    shared: {
      walletClient: walletOf(target, account),
      confidentialDataRegistry: registryOf(target, 'confidentialDataRegistry'),
      policyClient: await policyClientOf(target, options),
    },
  }
}

function tell(
  { json }: Shared,
  facts: Readonly<Record<string, string | number>> & { readonly change: string },
): void {
  if (json) {
    console.log(JSON.stringify(facts))
    return
  }
  const { change, block, ...others } = facts
  console.log(`${change.padEnd(14)}in block ${block}`)
  for (const [name, value] of Object.entries(others)) console.log(`${labels[name]}${value}`)
}

const labels: Readonly<Record<string, string>> = {
  dataType: 'type          ',
  policyClient: 'client        ',
  provider: 'provider      ',
  domain: 'domain        ',
}
