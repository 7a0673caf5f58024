export type { IntentDomain } from 'polgate-lib/intents/intentDomain.ts'
export { createTask } from './actions/createTask.ts'
export { getConfidentialData } from './actions/getConfidentialData.ts'
export { getIdentityEncrypted } from './actions/getIdentityEncrypted.ts'
export { getPrivacyPublicKey } from './actions/getPrivacyPublicKey.ts'
export { getSecretsPublicKey } from './actions/getSecretsPublicKey.ts'
export { registerWebhook } from './actions/registerWebhook.ts'
export { sendTask } from './actions/sendTask.ts'
export { simulatePolicy } from './actions/simulatePolicy.ts'
export { simulatePolicyData } from './actions/simulatePolicyData.ts'
export { simulatePolicyDataWithClient } from './actions/simulatePolicyDataWithClient.ts'
export { simulateTask } from './actions/simulateTask.ts'
export { storeEncryptedSecrets } from './actions/storeEncryptedSecrets.ts'
export { unregisterWebhook } from './actions/unregisterWebhook.ts'
export { uploadConfidentialData } from './actions/uploadConfidentialData.ts'
export { uploadIdentityEncrypted } from './actions/uploadIdentityEncrypted.ts'
export { attestationArguments } from './chain/attestationArguments.ts'
export {
  defaultPolicyCall,
  type EncodedPolicyCall,
  encodePolicyCalls,
  type PolicyCall,
  type PolicySettings,
} from './chain/policySetter.ts'
export type { SendingOptions } from './chain/sendCall.ts'
export { type SetPolicyOptions, setPolicy } from './chain/setPolicy.ts'
export {
  type SpendAttestationOptions,
  type SpendingWallet,
  type SpentAttestation,
  spendAttestation,
} from './chain/spendAttestation.ts'
export { brandOf, type ClientBrand, defaultBrand } from './client/brand.ts'
export type {
  ApiKey,
  CallOptions,
  Connection,
  ConnectionOptions,
  Fetch,
} from './client/connection.ts'
export {
  type BaseClient,
  type ClientChain,
  type ClientOptions,
  createBaseClient,
} from './client/createBaseClient.ts'
export { createServiceClient, type ServiceClient } from './client/createServiceClient.ts'
export { AbortError } from './errors/abortError.ts'
export {
  ForbiddenError,
  InvalidOptionsError,
  InvalidParamsError,
  MethodNotFoundError,
  OwnershipError,
  RateLimitedError,
  UnauthorizedError,
} from './errors/accessErrors.ts'
export {
  AttestationExpiredError,
  AttestationRefusedError,
  AttestationSpentError,
  ContractError,
  DomainUnknownError,
  NotSpendableError,
  RegistrationInvalidError,
  type RevertContext,
} from './errors/chainErrors.ts'
export { ClientError, type ErrorCode, type ErrorContext } from './errors/clientError.ts'
export { SealingFailedError, SigningFailedError } from './errors/cryptoErrors.ts'
export {
  IncompatibleVersionError,
  type MissingSecret,
  MissingSecretsError,
  NotFoundError,
  PolicyNotFoundError,
  SecretsInvalidError,
} from './errors/policyErrors.ts'
export {
  OracleFailedError,
  PolicyDeniedError,
  QuorumNotReachedError,
  RegoFailedError,
  TaskError,
  type TaskErrorContext,
  TaskExistsError,
  TaskFailedError,
  TaskNotFoundError,
  TaskStateUnknownError,
  TaskTimeoutError,
  WaitTimeoutError,
} from './errors/taskErrors.ts'
export {
  InternalServiceError,
  NetworkError,
  RequestRefusedError,
  RequestTimeoutError,
  RequestTooLargeError,
  ResponseMalformedError,
  ResponseTooLargeError,
  SubscriptionFailedError,
  UnavailableError,
  UnexpectedStatusError,
} from './errors/transportErrors.ts'
export { type WebhookFault, WebhookInvalidError } from './errors/webhookError.ts'
export {
  type BaseExplorer,
  createBaseExplorer,
  type ExplorerOptions,
} from './explorer/createBaseExplorer.ts'
export { createExplorerClient, type ExplorerClient } from './explorer/createExplorerClient.ts'
export type {
  ExplorerAnswer,
  ExplorerCallOptions,
  ExplorerRequest,
} from './explorer/createExplorerRequest.ts'
export { type FindTasksQuery, findTasks } from './explorer/findTasks.ts'
export { getPolicy } from './explorer/getPolicy.ts'
export { getStats, type StatsWindows } from './explorer/getStats.ts'
export { getTask } from './explorer/getTask.ts'
export { iteratePolicies } from './explorer/iteratePolicies.ts'
export { iterateTasks } from './explorer/iterateTasks.ts'
export { iterateTasksOfPolicyAddress } from './explorer/iterateTasksOfPolicyAddress.ts'
export { iterateTasksOfPolicyId } from './explorer/iterateTasksOfPolicyId.ts'
export { listPolicies } from './explorer/listPolicies.ts'
export { listTasks } from './explorer/listTasks.ts'
export { listTasksOfPolicyAddress } from './explorer/listTasksOfPolicyAddress.ts'
export { listTasksOfPolicyId } from './explorer/listTasksOfPolicyId.ts'
export type { Page, PageQuery, RowsQuery } from './explorer/pages.ts'
export {
  type WaitForExplorerTaskOptions,
  waitForExplorerTask,
} from './explorer/waitForExplorerTask.ts'
export { confidentialDataRegistryAbi, identityRegistryAbi } from './generated/contractAbis.ts'
export type * from './generated/explorerTypes.ts'
export type * from './generated/rpcTypes.ts'
export type { Hex } from './hex.ts'
export { type CreateIntentOptions, createIntent } from './intents/createIntent.ts'
export type { ChainReader } from './intents/readerOf.ts'
export { readIntentDomain } from './intents/readIntentDomain.ts'
export type { TypedDataSigner } from './intents/signer.ts'
export { type HashIntentOptions, hashIntent, signIntent } from './intents/signIntent.ts'
export {
  type UploadedIdentity,
  type UploadIdentityOptions,
  uploadIdentity,
} from './intents/uploadIdentity.ts'
export {
  type ConfidentialGrantOptions,
  grantConfidentialData,
  revokeConfidentialData,
} from './privateData/confidentialGrants.ts'
export {
  type ConfidentialSource,
  type ConfidentialSourcesOptions,
  confidentialSources,
  type RemoveConfidentialSourceOptions,
  removeConfidentialSource,
  type SetConfidentialSourceOptions,
  setConfidentialSource,
} from './privateData/confidentialSources.ts'
export type { IdentityLink } from './privateData/identityLink.ts'
export {
  type IdentityLinksOptions,
  identityLinks,
  type LinkedIdentity,
} from './privateData/identityLinks.ts'
export { type LinkIdentityOptions, linkIdentity } from './privateData/linkIdentity.ts'
export {
  type PublishConfidentialDataOptions,
  type PublishedConfidentialData,
  publishConfidentialData,
} from './privateData/publishConfidentialData.ts'
export {
  type RegisteredIdentity,
  type RegisterIdentityOptions,
  registerIdentity,
} from './privateData/registerIdentity.ts'
export {
  type RevokeIdentityLinksOptions,
  revokeIdentityLinks,
} from './privateData/revokeIdentityLinks.ts'
export { type SealEphemeralOptions, sealEphemeral } from './privateData/sealEphemeral.ts'
export {
  type SignedIdentityLink,
  type SignIdentityLinkOptions,
  signIdentityLink,
} from './privateData/signIdentityLink.ts'
export type { MethodName, Request } from './rpc/createRequest.ts'
export type { Succeeded } from './rpc/succeeded.ts'
export { encodeSecrets } from './sealing/encodeSecrets.ts'
export type { EnvelopeBinding, EnvelopeUse } from './sealing/envelopeBinding.ts'
export { type SealEnvelopeOptions, sealEnvelope } from './sealing/sealEnvelope.ts'
export { type SealSecretsOptions, type Secrets, sealSecrets } from './sealing/sealSecrets.ts'
export { type StoreSecretsOptions, storeSecrets } from './sealing/storeSecrets.ts'
export { type UploadConfidentialOptions, uploadConfidential } from './sealing/uploadConfidential.ts'
export { type TaskEvent, type WatchTaskOptions, watchTask } from './socket/watchTask.ts'
export { type RunTaskOptions, runTask } from './tasks/runTask.ts'
export { type TaskDecision, taskDecision } from './tasks/taskDecision.ts'
export { type TaskSuccess, taskOutcome } from './tasks/taskOutcome.ts'
export { type WaitForTaskOptions, waitForTask } from './tasks/waitForTask.ts'
export type { WebhookHeaders } from './webhooks/headerValues.ts'
export { type VerifyWebhookOptions, verifyWebhook } from './webhooks/verifyWebhook.ts'
export { webhookIdempotencyKey } from './webhooks/webhookIdempotencyKey.ts'
