import { createTask } from './createTask.ts'
import { getConfidentialData } from './getConfidentialData.ts'
import { getIdentityEncrypted } from './getIdentityEncrypted.ts'
import { getPrivacyPublicKey } from './getPrivacyPublicKey.ts'
import { getSecretsPublicKey } from './getSecretsPublicKey.ts'
import type { Handlers } from './handler.ts'
import { registerWebhook } from './registerWebhook.ts'
import { sendTask } from './sendTask.ts'
import { simulatePolicy } from './simulatePolicy.ts'
import { simulatePolicyData } from './simulatePolicyData.ts'
import { simulatePolicyDataWithClient } from './simulatePolicyDataWithClient.ts'
import { simulateTask } from './simulateTask.ts'
import { storeEncryptedSecrets } from './storeEncryptedSecrets.ts'
import { unregisterWebhook } from './unregisterWebhook.ts'
import { uploadConfidentialData } from './uploadConfidentialData.ts'
import { uploadIdentityEncrypted } from './uploadIdentityEncrypted.ts'

/** One handler per row of the method table; the type enforces completeness. */
export const handlers: Handlers = {
  createTask,
  sendTask,
  simulateTask,
  simulatePolicy,
  simulatePolicyData,
  simulatePolicyDataWithClient,
  storeEncryptedSecrets,
  registerWebhook,
  unregisterWebhook,
  getSecretsPublicKey,
  getPrivacyPublicKey,
  uploadIdentityEncrypted,
  getIdentityEncrypted,
  uploadConfidentialData,
  getConfidentialData,
}
