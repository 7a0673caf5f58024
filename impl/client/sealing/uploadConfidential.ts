import { getPrivacyPublicKey } from '../actions/getPrivacyPublicKey.ts'
import { uploadConfidentialData } from '../actions/uploadConfidentialData.ts'
import { chainIdOf } from '../client/chainIdOf.ts'
import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type { Hex } from '../hex.ts'
import { boundWhere } from './envelopeBinding.ts'
import { sealEnvelope } from './sealEnvelope.ts'

export type UploadConfidentialOptions = {
  /** Registered on the confidential-data registry, and associated with the key. */
  readonly provider: Hex
  /** 32 bytes. */
  readonly domain: Hex
  readonly plaintext: Uint8Array
  /** Default: the chain of the client. */
  readonly chainId?: number | undefined
}

/**
 * Seals data of a provider to the privacy key, bound to the provider's address (decision K4), and
 * uploads it (section 4.10). Needs RpcWrite, and RpcRead for the public key.
 *
 * @returns `data_ref_id`, by which `getConfidentialData` finds the envelope
 * @throws OwnershipError and others by cause
 */
export async function uploadConfidential(
  client: BaseClient,
  { provider, domain, plaintext, chainId }: UploadConfidentialOptions,
  options?: CallOptions,
) {
  const chain_id = chainIdOf(client, chainId)
  const key = await getPrivacyPublicKey(client, {}, options)
  const envelope = await sealEnvelope({
    plaintext,
    policyClient: provider,
    chainId: chain_id,
    recipientPublicKey: key.public_key,
    proven: true,
    binding: boundWhere(key, { use: 'confidential' }),
  })
  return await uploadConfidentialData(client, { provider, domain, envelope, chain_id }, options)
}
