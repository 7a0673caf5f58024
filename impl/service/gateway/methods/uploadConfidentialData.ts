import type { Handler } from './handler.ts'

/** Section 4.10: from a provider that is registered on chain. */
export const uploadConfidentialData: Handler<'uploadConfidentialData'> = (
  params,
  { sealedData, caller },
) => sealedData.uploadConfidential(params, caller)
