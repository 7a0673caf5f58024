import { ChainReadError } from 'polgate-chain/errors.ts'
import type {
  UploadConfidentialDataParams,
  UploadConfidentialDataResult,
} from 'polgate-protocol/methods/uploadConfidentialData.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { invalidApiKey, invalidFormat } from 'polgate-protocol/serviceError.ts'
import { dataReferenceOf } from '../envelopes/dataReference.ts'
import { StoredForAnotherUse } from '../store/envelopeFingerprints.ts'
import { KeyChanged, usedKeyOf } from '../store/usedKey.ts'
import { checkEnvelope } from './checkEnvelope.ts'
import type { Caller, SealedDataDeps } from './sealedDataDeps.ts'
import { notCallersProvider } from './sealedDataErrors.ts'

const refused = (error: string): UploadConfidentialDataResult => ({
  success: false,
  data_ref_id: null,
  error,
})

/**
 * Stores sealed data of a provider that is registered on chain at the moment (section 4.10).
 *
 * Operational failures are reported in the result, others as errors (section 7.3): a provider that
 * is not registered, an unavailable chain, an envelope stored for another provider or domain. The
 * specification does not say who may upload for a provider; as nothing else ties the upload to the
 * provider, it must be among the owner addresses of the key. A repeated upload changes nothing and
 * returns the same result.
 *
 * @throws ServiceError -32602 (format, another chain or key, `policy_client` of the envelope is not
 *   the provider: decision K4), -32001 (the key has changed meanwhile), -32002 (not the key's provider), -32616 (no registry)
 */
export async function uploadConfidential(
  { store, fingerprints, chain, privacyKeys }: SealedDataDeps,
  params: UploadConfidentialDataParams,
  caller: Caller,
): Promise<UploadConfidentialDataResult> {
  const { envelope } = params
  await fingerprints.recordSubmitted(envelope)
  const provider = params.provider.toLowerCase() as Address
  const domain = params.domain.toLowerCase() as Bytes32
  const { policy_client } = checkEnvelope({
    envelope,
    use: 'confidential',
    chainId: params.chain_id,
    ownChainId: chain.chainId,
    recipients: privacyKeys(),
  })
  if (policy_client.toLowerCase() !== provider) {
    throw invalidFormat('envelope.policy_client must be the provider')
  }

  let dataType: string | undefined
  try {
    dataType = await chain.providerDataType(provider)
  } catch (error) {
    if (error instanceof ChainReadError) return refused(error.message)
    throw error
  }
  if (dataType === undefined) {
    return refused(
      `provider ${params.provider} is not registered on the confidential-data registry`,
    )
  }
  if (!caller.owners.includes(provider)) throw notCallersProvider(params.provider)

  const dataRefId = dataReferenceOf(envelope)
  const data = { provider, domain, dataType, chainId: chain.chainId, envelope }
  const upload = { dataRefId, keyId: caller.keyId, key: usedKeyOf(caller) }
  const kept = await store.keepConfidential(upload, data).catch((error) => {
    if (error instanceof StoredForAnotherUse) return error
    throw error instanceof KeyChanged ? invalidApiKey() : error
  })
  if (kept instanceof StoredForAnotherUse) return refused(kept.message)
  if (kept.provider !== provider || kept.domain !== domain) {
    return refused('envelope is already stored for another provider or domain')
  }
  return { success: true, data_ref_id: dataRefId, error: null }
}
