import type { MethodName, ParamsOf, ResultOf } from 'polgate-protocol/methods.ts'
import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import { publicKeyResult } from '../envelopes/encryptionKey.ts'
import type { Caller, SealedDataPort, TaskPort, WebhookPort } from './ports.ts'

/** What a method may reach besides its caller. */
export type MethodPorts = {
  readonly tasks: TaskPort
  readonly webhooks: WebhookPort
  readonly sealedData: SealedDataPort
  /** Public halves only: 64 hex digits each (section 4.10). */
  readonly encryptionKeys: {
    readonly secretsPublicKey: string
    readonly privacyPublicKey: string
  }
}

export type HandlerContext = MethodPorts & { readonly caller: Caller }

export type Handlers = {
  readonly [M in MethodName]: (params: ParamsOf<M>, context: HandlerContext) => Promise<ResultOf<M>>
}

/** Decisions, section 9. The schema counts characters, the limit is in bytes. */
const maxPolicyBytes = 512 * 1024

/** A handler for every row of the method table (section 4); the type fails when one is missing. */
export const handlers: Handlers = {
  // Answers when the task has ended, well or not.
  createTask: (params, { tasks, caller }) => tasks.createTask(params, caller),
  // Answers as soon as the task is stored; the rest arrives over the WebSocket.
  sendTask: (params, { tasks, caller }) => tasks.sendTask(params, caller),
  // With data supplied or, in the short form, gathered (decision T15).
  async simulateTask(params, { tasks, caller }) {
    if (params.policy_task_data === undefined && params.policy_client === undefined)
      throw invalidFormat('policy_task_data or policy_client is required')
    return tasks.simulateTask(params, caller)
  },
  // The whole pipeline on a source that is not deployed.
  async simulatePolicy(params, { tasks, caller }) {
    if (Buffer.byteLength(params.policy) > maxPolicyBytes)
      throw invalidFormat(`policy must not be larger than ${maxPolicyBytes} bytes`)
    return tasks.simulatePolicy(params, caller)
  },
  // One oracle, with the caller's own secrets.
  simulatePolicyData: (params, { tasks, caller }) => tasks.simulatePolicyData(params, caller),
  // One oracle, with the stored secrets of a client that the caller's owner owns.
  simulatePolicyDataWithClient: (params, { tasks, caller }) =>
    tasks.simulatePolicyDataWithClient(params, caller),
  // Checked by an operator, kept sealed.
  storeEncryptedSecrets: (params, { tasks, caller }) => tasks.storeEncryptedSecrets(params, caller),
  // One webhook a key: a second registration replaces the first.
  registerWebhook: (params, { webhooks, caller }) => webhooks.register(params, caller),
  unregisterWebhook: (_, { webhooks, caller }) => webhooks.unregister(caller),
  // The key that oracle secrets are sealed to.
  getSecretsPublicKey: async (_, { encryptionKeys }) =>
    publicKeyResult({ publicKey: encryptionKeys.secretsPublicKey }),
  // The key that identity and confidential data are sealed to.
  getPrivacyPublicKey: async (_, { encryptionKeys }) =>
    publicKeyResult({ publicKey: encryptionKeys.privacyPublicKey }),
  // Answers what the registry on chain wants to see.
  uploadIdentityEncrypted: (params, { sealedData, caller }) =>
    sealedData.uploadIdentity(params, caller),
  getIdentityEncrypted: (params, { sealedData }) => sealedData.getIdentity(params),
  // Of a provider that the registry on chain knows.
  uploadConfidentialData: (params, { sealedData, caller }) =>
    sealedData.uploadConfidential(params, caller),
  getConfidentialData: (params, { sealedData }) => sealedData.getConfidential(params),
}
