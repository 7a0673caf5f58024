import type { Handler } from './handler.ts'

/** Section 4.10: of a provider that the registry on chain knows. */
export const uploadConfidentialData: Handler<'uploadConfidentialData'> = (
  params,
  { sealedData, caller },
) => sealedData.uploadConfidential(params, caller)
