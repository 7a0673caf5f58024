import type { Handler } from './handler.ts'

/** Section 4.10: the answer is what the registry on chain wants to see. */
export const uploadIdentityEncrypted: Handler<'uploadIdentityEncrypted'> = (
  params,
  { sealedData, caller },
) => sealedData.uploadIdentity(params, caller)
