import { createTask } from '../actions/createTask.ts'
import { getConfidentialData } from '../actions/getConfidentialData.ts'
import { getIdentityEncrypted } from '../actions/getIdentityEncrypted.ts'
import { getPrivacyPublicKey } from '../actions/getPrivacyPublicKey.ts'
import { getSecretsPublicKey } from '../actions/getSecretsPublicKey.ts'
import { registerWebhook } from '../actions/registerWebhook.ts'
import { sendTask } from '../actions/sendTask.ts'
import { simulatePolicy } from '../actions/simulatePolicy.ts'
import { simulatePolicyData } from '../actions/simulatePolicyData.ts'
import { simulatePolicyDataWithClient } from '../actions/simulatePolicyDataWithClient.ts'
import { simulateTask } from '../actions/simulateTask.ts'
import { storeEncryptedSecrets } from '../actions/storeEncryptedSecrets.ts'
import { unregisterWebhook } from '../actions/unregisterWebhook.ts'
import { uploadConfidentialData } from '../actions/uploadConfidentialData.ts'
import { uploadIdentityEncrypted } from '../actions/uploadIdentityEncrypted.ts'
import { hashIntent, signIntent } from '../intents/signIntent.ts'
import { uploadIdentity } from '../intents/uploadIdentity.ts'
import { confidentialSources } from '../privateData/confidentialSources.ts'
import { identityLinks } from '../privateData/identityLinks.ts'
import { publishConfidentialData } from '../privateData/publishConfidentialData.ts'
import { registerIdentity } from '../privateData/registerIdentity.ts'
import { sealEphemeral } from '../privateData/sealEphemeral.ts'
import { signIdentityLink } from '../privateData/signIdentityLink.ts'
import { sealSecrets } from '../sealing/sealSecrets.ts'
import { storeSecrets } from '../sealing/storeSecrets.ts'
import { uploadConfidential } from '../sealing/uploadConfidential.ts'
import { watchTask } from '../socket/watchTask.ts'
import { runTask } from '../tasks/runTask.ts'
import { waitForTask } from '../tasks/waitForTask.ts'
import { type Bound, bindActions } from './bindActions.ts'
import { type BaseClient, type ClientOptions, createBaseClient } from './createBaseClient.ts'

const actions = {
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
  watchTask,
  waitForTask,
  runTask,
  sealSecrets,
  storeSecrets,
  uploadConfidential,
  uploadIdentity,
  registerIdentity,
  signIdentityLink,
  identityLinks,
  publishConfidentialData,
  confidentialSources,
  sealEphemeral,
  signIntent,
  hashIntent,
}

export type ServiceClient = BaseClient & Bound<typeof actions>

/**
 * A client of the gateway with all actions as methods. Every method is also a function that takes
 * the client first; programs that are bundled use those with `createBaseClient`.
 *
 * @example
 * const client = createServiceClient({ url: 'https://gateway.example', key, chain: sepolia })
 * const task = await client.createTask({ policy_client, intent })
 * @throws InvalidOptionsError
 */
export function createServiceClient(options: ClientOptions): ServiceClient {
  const client = createBaseClient(options)
  return { ...client, ...bindActions(client, actions) }
}
