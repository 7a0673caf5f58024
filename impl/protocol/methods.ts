import type { Static } from '@sinclair/typebox'
import { createTask } from './methods/createTask.ts'
import { getConfidentialData } from './methods/getConfidentialData.ts'
import { getIdentityEncrypted } from './methods/getIdentityEncrypted.ts'
import { getPrivacyPublicKey } from './methods/getPrivacyPublicKey.ts'
import { getSecretsPublicKey } from './methods/getSecretsPublicKey.ts'
import { registerWebhook } from './methods/registerWebhook.ts'
import { sendTask } from './methods/sendTask.ts'
import { simulatePolicy } from './methods/simulatePolicy.ts'
import { simulatePolicyData } from './methods/simulatePolicyData.ts'
import { simulatePolicyDataWithClient } from './methods/simulatePolicyDataWithClient.ts'
import { simulateTask } from './methods/simulateTask.ts'
import { storeEncryptedSecrets } from './methods/storeEncryptedSecrets.ts'
import { unregisterWebhook } from './methods/unregisterWebhook.ts'
import { uploadConfidentialData } from './methods/uploadConfidentialData.ts'
import { uploadIdentityEncrypted } from './methods/uploadIdentityEncrypted.ts'

/**
 * The method table (section 4): names without the brand prefix, in the order of the specification.
 */
export const methods = {
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
} as const

export type MethodName = keyof typeof methods
export type ParamsOf<M extends MethodName> = Static<(typeof methods)[M]['params']>
export type ResultOf<M extends MethodName> = Static<(typeof methods)[M]['result']>
