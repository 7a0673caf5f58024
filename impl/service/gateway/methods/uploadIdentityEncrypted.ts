import type { Handler } from './handler.ts'

/** Section 4.10: returns the input for the registry on chain. */
export const uploadIdentityEncrypted: Handler<'uploadIdentityEncrypted'> = (
  params,
  { sealedData, caller },
) => sealedData.uploadIdentity(params, caller)
