import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { NotFoundError } from '../errors/policyErrors.ts'
import type { GetConfidentialDataParams, GetConfidentialDataResult } from '../generated/rpcTypes.ts'

/**
 * Returns sealed confidential data by its reference, the envelope exactly as uploaded (section 4.10). Needs
 * RpcRead.
 *
 * @throws NotFoundError for an unknown reference, in whatever form the gateway reports it
 */
export async function getConfidentialData(
  client: BaseClient,
  params: GetConfidentialDataParams,
  options?: CallOptions,
): Promise<GetConfidentialDataResult> {
  const result: GetConfidentialDataResult | null = await client.request(
    'getConfidentialData',
    params,
    options,
  )
  if (result?.envelope !== undefined) return result
  throw new NotFoundError('confidential data', {
    metaMessages: [`Method: ${client.brand.methodPrefix}getConfidentialData`],
  })
}
