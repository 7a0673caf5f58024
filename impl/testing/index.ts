// biome-ignore-all lint/performance/noBarrelFile: an entry of the package
export { assertAllowed, assertDeniedFor, assertSpent } from './assertions/assert.ts'
export { connectStack } from './stack/connectStack.ts'
export type {
  DeployedPolicy,
  PolicyClientKind,
  StackConnection,
  StackContracts,
} from './stack/controlWire.ts'
export type {
  OracleAnswer,
  OracleExchange,
  OracleHandler,
  OracleRequest,
  OracleRoutes,
} from './stack/oracleExchange.ts'
export type { OracleMock, OracleMocks } from './stack/oracleMocks.ts'
export {
  OracleReply,
  type ReplyOptions,
  replyBody,
  replyJson,
  replyNothing,
} from './stack/oracleReply.ts'
export type { OracleToDeploy, PolicyToDeploy } from './stack/policyDeployment.ts'
export type {
  Stack,
  StackAccounts,
  StackKeys,
  StackSnapshot,
} from './stack/stack.ts'
export type { StackAccount } from './stack/stackAccount.ts'
export type { StackClients } from './stack/stackClients.ts'
export type { StackClock } from './stack/stackClock.ts'
export type { LogLevel, StackOptions } from './stack/stackOptions.ts'
export { startStack } from './stack/startStack.ts'
export { TestingError, type TestingErrorCode } from './stack/testingError.ts'
export {
  startWebhookInbox,
  type WebhookDelivery,
  type WebhookInbox,
} from './webhooks/webhookInbox.ts'
