import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type {
  UploadConfidentialDataParams,
  UploadConfidentialDataResult,
} from '../generated/rpcTypes.ts'
import { type Succeeded, succeeded } from '../rpc/succeeded.ts'

/**
 * Stores sealed data of a registered provider (section 4.10); `uploadConfidential` seals it, too. Needs
 * RpcWrite, and a key of the provider.
 *
 * @throws OwnershipError, RequestRefusedError and others by cause
 */
export async function uploadConfidentialData(
  client: BaseClient,
  params: UploadConfidentialDataParams,
  options?: CallOptions,
): Promise<Succeeded<UploadConfidentialDataResult, 'data_ref_id'>> {
  const result = await client.request('uploadConfidentialData', params, options)
  return succeeded<UploadConfidentialDataResult, 'data_ref_id'>(
    client,
    'uploadConfidentialData',
    result,
  )
}
