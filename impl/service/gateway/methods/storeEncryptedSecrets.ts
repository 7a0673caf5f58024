import type { Handler } from './handler.ts'

/** Section 4.5: checked by an operator, kept sealed. */
export const storeEncryptedSecrets: Handler<'storeEncryptedSecrets'> = (
  params,
  { tasks, caller },
) => tasks.storeEncryptedSecrets(params, caller)
