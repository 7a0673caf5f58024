import type { Brand } from 'polgate-protocol/brand.ts'
import type { ContentStore } from 'polgate-service/content/contentStore.ts'
import type { Store } from 'polgate-service/store/openStore.ts'
import type { Deployment } from '../deployFixtures.ts'
import type { TaskRecords } from '../taskRecords.ts'
import { createClientChanges } from './changeClient.ts'
import { createPolicyChain } from './policyChain.ts'
import type { PolicyRouteParts } from './policyRoutes.ts'
import { createPolicyViews } from './policyViews.ts'
import { createRedecider, type Redecider } from './redecide.ts'
import type { RedecideRouteParts } from './redecideRoutes.ts'

/** What the control listener needs for its routes of policies and of past decisions. */
export type LocalPolicies = Omit<PolicyRouteParts & RedecideRouteParts, 'redecider'> & {
  readonly redecider: Redecider
}

/** @param startBlock where the chain of the stack begins */
export function localPolicies(stack: {
  readonly chain: { readonly url: string; readonly chainId: number }
  readonly startBlock: number
  readonly store: Store
  readonly content: ContentStore
  readonly deployment: Deployment
  readonly brand: Brand
  readonly records: TaskRecords
}): LocalPolicies {
  const { chain, store, content, records, brand } = stack
  const changes = createClientChanges(chain.url)
  const views = createPolicyViews({
    chain: createPolicyChain(chain.url, stack.startBlock),
    chainId: chain.chainId,
    ...{ content, secrets: store.secrets, explorer: store.explorer },
    names: new Map(
      Object.entries(stack.deployment.clients).map(([name, { policyClient }]) => [
        policyClient.toLowerCase(),
        name,
      ]),
    ),
    hasKeyOf: changes.hasKeyOf,
  })
  const redecider = createRedecider({ brand, tasks: store.tasks, records })
  return { views, changes, redecider, records, content }
}
