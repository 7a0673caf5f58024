import type { DataReference } from 'polgate-protocol/methods/dataReference.ts'
import type { GetConfidentialDataResult } from 'polgate-protocol/methods/getConfidentialData.ts'
import type { GetIdentityEncryptedResult } from 'polgate-protocol/methods/getIdentityEncrypted.ts'
import type {
  UploadConfidentialDataParams,
  UploadConfidentialDataResult,
} from 'polgate-protocol/methods/uploadConfidentialData.ts'
import type {
  UploadIdentityEncryptedParams,
  UploadIdentityEncryptedResult,
} from 'polgate-protocol/methods/uploadIdentityEncrypted.ts'
import { getAddress } from 'viem'
import type { Caller, SealedDataDeps } from './sealedDataDeps.ts'
import { unknownReference } from './sealedDataErrors.ts'
import { uploadConfidential } from './uploadConfidential.ts'
import { uploadIdentity } from './uploadIdentity.ts'

/** Sealed identity and confidential data, for the gateway (section 4.10). */
export type SealedDataService = {
  uploadIdentity(
    params: UploadIdentityEncryptedParams,
    caller: Caller,
  ): Promise<UploadIdentityEncryptedResult>
  /**
   * For any key with read permission; returns the exact bytes. @throws ServiceError -32602 if
   * unknown
   */
  getIdentity(params: DataReference): Promise<GetIdentityEncryptedResult>
  uploadConfidential(
    params: UploadConfidentialDataParams,
    caller: Caller,
  ): Promise<UploadConfidentialDataResult>
  /**
   * As above; stays readable after its provider is removed. @throws ServiceError -32602 if unknown
   */
  getConfidential(params: DataReference): Promise<GetConfidentialDataResult>
}

/** Envelopes are stored and returned here, never decrypted. */
export const createSealedData = (deps: SealedDataDeps): SealedDataService => ({
  uploadIdentity: (params, caller) => uploadIdentity(deps, params, caller),
  uploadConfidential: (params, caller) => uploadConfidential(deps, params, caller),

  async getIdentity({ data_ref_id }) {
    const data = await deps.store.identity(data_ref_id)
    if (data === undefined) throw unknownReference('identity', data_ref_id)
    const { envelope, identityDomain, identityOwner } = data
    return {
      envelope,
      identity_domain: identityDomain,
      identity_owner: getAddress(identityOwner),
    }
  },

  async getConfidential({ data_ref_id }) {
    const data = await deps.store.confidential(data_ref_id)
    if (data === undefined) throw unknownReference('confidential', data_ref_id)
    return { envelope: data.envelope, data_type: data.dataType }
  },
})
