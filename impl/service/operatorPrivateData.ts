import { type AroundRequest, createChainClient } from 'polgate-chain/client.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { OperatorConfig, OperatorSecrets } from './operatorConfig.ts'
import type { PrivateData } from './operators/privateData.ts'
import { keyHolderOf } from './privacyKey.ts'
import { approveGrants } from './privateData/approveGrants.ts'
import { createGrantChain } from './privateData/grantChain.ts'
import { grantRefused } from './privateData/grantRefused.ts'
import { noOpener, thresholdOpener } from './privateData/opener.ts'
import { type PrivateDataOptions, privateDataOf } from './privateData/privateDataOf.ts'
import { createSharedOpenings } from './privateData/sharedOpenings.ts'
import type { LocalKeyHolder } from './threshold/keyHolder.ts'

/**
 * The key share of an operator in a process of its own, and how it opens private data. Without a node
 * of its own it can verify no grant, and opens nothing.
 *
 * @throws ServiceError for an invalid configuration
 */
export function ownPrivateData(
  { address, chainId, chain, threshold }: OperatorConfig,
  { thresholdKey }: OperatorSecrets,
  parts: Pick<PrivateDataOptions, 'usesOf'> & { readonly around: AroundRequest | undefined },
): {
  readonly keyHolder: LocalKeyHolder | undefined
  readonly privateData: PrivateData | undefined
} {
  const grants =
    chain &&
    createGrantChain({
      // Shorter than the timeout of a call, so that the gateway receives the cause.
      client: createChainClient({ rpcUrl: chain.rpcUrl, timeout: 5_000, around: parts.around }),
      chainId,
      taskManager: chain.taskManager as Address,
      identityRegistry: chain.identityRegistry as Address | undefined,
      confidentialDataRegistry: chain.confidentialDataRegistry as Address | undefined,
      maxBlocksBehind: chain.maxBlocksBehind,
    })
  const keyHolder =
    threshold &&
    keyHolderOf(
      address as Address,
      { ...threshold, key: thresholdKey as string },
      { approve: grants === undefined ? withoutNode : approveGrants(grants) },
    )
  if (grants === undefined) return { keyHolder, privateData: undefined }
  const opener = keyHolder === undefined ? noOpener : thresholdOpener(keyHolder, chainId)
  const { usesOf } = parts
  const openings = createSharedOpenings()
  return { keyHolder, privateData: privateDataOf({ chain: grants, opener, openings, usesOf }) }
}

function withoutNode(): never {
  throw grantRefused('it has no node of its own to verify grants: set chain in its configuration')
}
