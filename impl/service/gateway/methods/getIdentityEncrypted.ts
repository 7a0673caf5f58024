import type { Handler } from './handler.ts'

/** Section 4.10. */
export const getIdentityEncrypted: Handler<'getIdentityEncrypted'> = (params, { sealedData }) =>
  sealedData.getIdentity(params)
