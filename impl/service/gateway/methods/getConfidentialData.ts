import type { Handler } from './handler.ts'

/** Section 4.10. */
export const getConfidentialData: Handler<'getConfidentialData'> = (params, { sealedData }) =>
  sealedData.getConfidential(params)
