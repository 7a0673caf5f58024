import { keccak256, parseEventLogs, stringToHex, type TransactionReceipt } from 'viem'
import { getPrivacyPublicKey } from '../actions/getPrivacyPublicKey.ts'
import { uploadConfidentialData } from '../actions/uploadConfidentialData.ts'
import { type SendingOptions, sendCall } from '../chain/sendCall.ts'
import { chainIdOf } from '../client/chainIdOf.ts'
import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { ResponseMalformedError } from '../errors/transportErrors.ts'
import { confidentialDataRegistryAbi } from '../generated/contractAbis.ts'
import type { Hex } from '../hex.ts'
import { boundWhere } from '../sealing/envelopeBinding.ts'
import { sealEnvelope } from '../sealing/sealEnvelope.ts'
import { checkDomain, checkPlaintext, maxConfidentialBytes } from './checks.ts'

/** The account of `walletClient` is the provider, registered on the registry. */
export type PublishConfidentialDataOptions = SendingOptions & {
  readonly confidentialDataRegistry: Hex
  /** 32 bytes: which of the provider's data this is a version of. */
  readonly domain: Hex
  /**
   * UTF-8 JSON, at most 1 MiB: `{"entries": ["0x...", ...]}` for a list of addresses, `{"values": {"key": any}}` for
   * `confidential.get`, or both.
   */
  readonly plaintext: Uint8Array
  /** Default: the chain of the client. */
  readonly chainId?: number | undefined
}

export type PublishedConfidentialData = {
  readonly dataRefId: Hex
  /** 1 for the first of the domain. Tasks use the latest. */
  readonly version: number
  readonly receipt: TransactionReceipt
}

/**
 * Seals data of a provider to the privacy key, uploads it (section 4.10), and publishes it on chain as the next
 * version of its domain. Policies read it only where the provider has granted it and the owner of the policy client
 * has set it as a source. The gateway cannot exchange it: its reference is compared with the hash of the envelope
 * before it is published. Needs RpcWrite with a key of the provider, and RpcRead for the public key.
 *
 * @throws InvalidOptionsError, without the data; OwnershipError for a key of others; ContractError with the custom error
 *   if the account is no provider; ResponseMalformedError, and then nothing is published
 */
export async function publishConfidentialData(
  client: BaseClient,
  published: PublishConfidentialDataOptions,
  options?: CallOptions,
): Promise<PublishedConfidentialData> {
  const { plaintext, walletClient, confidentialDataRegistry: address } = published
  const provider = walletClient.account.address
  const chain_id = chainIdOf(client, published.chainId)
  const domain = checkDomain('domain', published.domain)
  checkPlaintext('The data', plaintext, maxConfidentialBytes)
  const key = await getPrivacyPublicKey(client, {}, options)
  const envelope = await sealEnvelope({
    ...{ plaintext, policyClient: provider, chainId: chain_id, recipientPublicKey: key.public_key },
    proven: true,
    binding: boundWhere(key, { use: 'confidential' }),
  })
  const stored = { provider, domain, envelope, chain_id }
  const { data_ref_id } = await uploadConfidentialData(client, stored, options)
  const dataRefId = keccak256(stringToHex(envelope))
  const metaMessages = [`Provider: ${provider}`, `Domain: ${domain}`]
  if (data_ref_id.toLowerCase() !== dataRefId)
    throw new ResponseMalformedError('the reference is not the hash of the envelope', {
      metaMessages,
    })
  const abi = confidentialDataRegistryAbi
  const receipt = await sendCall(
    published,
    { address, abi, functionName: 'publish', args: [domain, dataRefId] },
    metaMessages,
  )
  const [event] = parseEventLogs({ abi, logs: receipt.logs, eventName: 'DataPublished' })
  if (event === undefined)
    throw new ResponseMalformedError('the registry has published nothing', { metaMessages })
  return { dataRefId, version: event.args.version, receipt }
}
