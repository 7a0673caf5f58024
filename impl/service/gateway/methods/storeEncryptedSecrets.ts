import type { Handler } from './handler.ts'

/** Section 4.5: validated by an operator, stored encrypted. */
export const storeEncryptedSecrets: Handler<'storeEncryptedSecrets'> = (
  params,
  { tasks, caller },
) => tasks.storeEncryptedSecrets(params, caller)
