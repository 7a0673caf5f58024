import { decodeIntentDomain, type IntentDomain } from 'polgate-lib/intents/intentDomain.ts'
import type { Client } from 'viem'
import { call } from 'viem/actions'
import { contractErrorOf } from '../chain/contractErrorOf.ts'
import { DomainUnknownError } from '../errors/chainErrors.ts'
import type { Hex } from '../hex.ts'

/** Selector of `eip712Domain()`. */
const selector = '0x84b0196e'

function isRevert(error: unknown): boolean {
  for (
    let at = error as { name?: unknown; cause?: unknown } | undefined;
    at;
    at = at.cause as typeof at
  )
    if (at.name === 'ExecutionRevertedError' || at.name === 'RawContractError') return true
  return false
}

/** Which stated member would make the signature one for another contract or chain. */
function foreignMember(
  { chainId, verifyingContract }: IntentDomain,
  policyClient: Hex,
  expected: bigint | undefined,
): string | undefined {
  if (
    verifyingContract !== undefined &&
    verifyingContract.toLowerCase() !== policyClient.toLowerCase()
  )
    return `the stated verifyingContract is ${verifyingContract}, not the policy client`
  if (chainId !== undefined && expected !== undefined && chainId !== expected)
    return `the stated chainId is ${chainId}, that of the intent ${expected}`
  return undefined
}

/**
 * The domain under which intents for a policy client are signed, as the client states it by EIP-5267
 * (section 4.2).
 *
 * @param chainId of the intent, which the domain must have, too
 * @throws DomainUnknownError if it states none that the service reads, too, or that of another contract or
 * chain; ContractError
 * if the chain cannot be read
 */
export async function readIntentDomain(
  reader: Client,
  policyClient: Hex,
  chainId?: bigint,
): Promise<IntentDomain> {
  const metaMessages = [`Policy client: ${policyClient}`]
  const { data } = await call(reader, { to: policyClient, data: selector }).catch(
    (cause: unknown) => {
      // Without the cause, whose text contains the URL of the node.
      throw isRevert(cause)
        ? new DomainUnknownError({ metaMessages })
        : contractErrorOf(cause, { metaMessages })
    },
  )
  // A node may answer anything.
  const domain = typeof data === 'string' ? decodeIntentDomain(data) : undefined
  if (domain === undefined) throw new DomainUnknownError({ metaMessages })
  const details = foreignMember(domain, policyClient, chainId)
  if (details !== undefined) throw new DomainUnknownError({ metaMessages, details })
  return domain
}
