import type { Check } from '../core/check.ts'
import { oracleEgress } from './1-oracle-egress.ts'
import { oracleFaults } from './1-oracle-faults.ts'
import { oracleHttp } from './1-oracle-http.ts'
import { oracleOutputs } from './1-oracle-outputs.ts'
import { oracleRuns } from './1-oracle-runs.ts'
import { oracleTime } from './1-oracle-time.ts'
import { oracleWorlds } from './1-oracle-worlds.ts'
import { oracles } from './1-oracles.ts'
import { rego } from './1-rego.ts'
import { scalars } from './2.1-scalars.ts'
import { taskIntent } from './2.2-task-intent.ts'
import { aggregation } from './2.5-aggregation.ts'
import { taskResult } from './2.5-task-result.ts'
import { unavailableOperators } from './2.5-unavailable-operators.ts'
import { simulationResults } from './2.6-simulation-results.ts'
import { secretsSchema } from './2.7-secrets-schema.ts'
import { explorerLife } from './2.9-explorer-life.ts'
import { explorerShapes } from './2.9-explorer-shapes.ts'
import { explorerTask } from './2.9-explorer-task.ts'
import { explorerPolicy } from './2.10-explorer-policy.ts'
import { timeoutChecks } from './3-timeout.ts'
import { conventions } from './4.1-conventions.ts'
import { secrecy } from './4.1-secrecy.ts'
import { createTaskChecks } from './4.2-create-task.ts'
import { createTaskParams } from './4.2-create-task-params.ts'
import { intentSignature } from './4.2-intent-signature.ts'
import { quorum } from './4.2-quorum.ts'
import { spendWarnings } from './4.2-spend-warnings.ts'
import { sendTaskChecks } from './4.3-send-task.ts'
import { sendTaskOptions } from './4.3-send-task-options.ts'
import { sendTaskParams } from './4.3-send-task-params.ts'
import { sentTaskAttestation } from './4.3-sent-task-attestation.ts'
import { taskIds } from './4.3-task-ids.ts'
import { availability } from './4.4-availability.ts'
import { simulateTaskChecks } from './4.4-simulate-task.ts'
import { simulateTaskParams } from './4.4-simulate-task-params.ts'
import { suppliedData } from './4.4-supplied-data.ts'
import { storeSecretsEnvelopes } from './4.5-envelopes.ts'
import { storeSecretsChecks } from './4.5-store-secrets.ts'
import { simulatePolicyDataChecks } from './4.6-simulate-policy-data.ts'
import { simulatePolicyDataParams } from './4.6-simulate-policy-data-params.ts'
import { unreadableSecrets } from './4.6-unreadable-secrets.ts'
import { simulateWithClientChecks } from './4.7-simulate-with-client.ts'
import { policyErrors } from './4.8-policy-errors.ts'
import { simulatePolicyChecks } from './4.8-simulate-policy.ts'
import { simulatePolicyParams } from './4.8-simulate-policy-params.ts'
import { webhookChecks } from './4.9-webhooks.ts'
import { confidentialData } from './4.10-confidential-data.ts'
import { identityClock, identityData } from './4.10-identity-data.ts'
import { identitySignature } from './4.10-identity-signature.ts'
import { publicKeys } from './4.10-public-keys.ts'
import { sealedDataParams } from './4.10-sealed-data-params.ts'
import { websocketChecks } from './4.11-websocket.ts'
import { explorerGrowth } from './4.12-explorer-growth.ts'
import { explorerLists } from './4.12-explorer-lists.ts'
import { explorerNetworks } from './4.12-explorer-networks.ts'
import { explorerOrder } from './4.12-explorer-order.ts'
import { explorerPaths } from './4.12-explorer-paths.ts'
import { explorerReorganisation } from './4.12-explorer-reorganisation.ts'
import { explorerSecondNetwork } from './4.12-explorer-second-network.ts'
import { explorerStats } from './4.12-explorer-stats.ts'
import { explorerSurfaces } from './4.12-explorer-surfaces.ts'
import { explorerWindows } from './4.12-explorer-windows.ts'
import { parameterMatrix } from './4-parameter-matrix.ts'
import { keys } from './5.1-keys.ts'
import { permissions } from './5.1-permissions.ts'
import { ownershipOnChain } from './5.2-ownership.ts'
import { secretsAtWork } from './5.3-secrets-at-work.ts'
import { secretsInErrors } from './5.3-secrets-in-errors.ts'
import { intentDigest } from './5.4-intent-digest.ts'
import { explorerKeyForms } from './5.6-explorer-key-forms.ts'
import { explorerKeys } from './5.6-explorer-keys.ts'
import { createdTaskChecks } from './6.1-created-tasks.ts'
import { frameChecks } from './6.1-frames.ts'
import { subscriberChecks } from './6.1-subscribers.ts'
import { subscriptionChecks } from './6.1-subscriptions.ts'
import { taskUpdateChecks } from './6.1-task-updates.ts'
import { updateOrderChecks } from './6.1-update-order.ts'
import { backoffChecks } from './6.2-backoff.ts'
import { deliveryChecks } from './6.2-delivery.ts'
import { oddReceivers } from './6.2-faulty-receivers.ts'
import { notifiedKeys } from './6.2-notified-keys.ts'
import { retryChecks } from './6.2-retries.ts'
import { failureTypeChecks } from './6.3-failure-types.ts'
import { standardErrors } from './7.1-standard-errors.ts'
import { serviceCodes } from './7.2-service-codes.ts'
import { versions } from './7.2-versions.ts'
import { ownership } from './7.3-ownership.ts'
import { anyMembers } from './7.4-any-member.ts'
import { changedAttestation } from './7.5-changed-attestation.ts'
import { conditions } from './7.5-conditions.ts'
import { expiryOnChain } from './7.5-expiry.ts'
import { onChain } from './7.5-on-chain.ts'
import { operatorSetOnChain } from './7.5-operator-set.ts'
import { explorerErrors } from './7.6-explorer-errors.ts'
import { challenges } from './8-challenges.ts'
import { explorerLimits } from './8-explorer-limits.ts'
import { rateLimits } from './8-rate-limits.ts'
import { sizes } from './8-sizes.ts'
import { versioning } from './9-versioning.ts'
import { crossSequences } from './cross-sequences.ts'
import { taskChaos } from './task-chaos.ts'

/**
 * Every check of the suite. Exclusive checks keep this order: the one that mines past an expiration
 * is near the end, the one that scans all responses is last.
 */
export const checks: readonly Check[] = [
  // First, because they mostly wait.
  backoffChecks,
  retryChecks,
  explorerSurfaces,
  explorerLife,
  conventions,
  standardErrors,
  keys,
  permissions,
  publicKeys,
  scalars,
  taskIntent,
  rego,
  simulatePolicyChecks,
  policyErrors,
  simulatePolicyParams,
  simulationResults,
  createTaskChecks,
  createTaskParams,
  spendWarnings,
  intentSignature,
  taskResult,
  aggregation,
  simulateTaskChecks,
  simulateTaskParams,
  suppliedData,
  availability,
  storeSecretsChecks,
  storeSecretsEnvelopes,
  simulatePolicyDataChecks,
  secretsSchema,
  secretsAtWork,
  secretsInErrors,
  intentDigest,
  unreadableSecrets,
  simulateWithClientChecks,
  simulatePolicyDataParams,
  parameterMatrix,
  sendTaskChecks,
  sentTaskAttestation,
  taskIds,
  sendTaskOptions,
  sendTaskParams,
  websocketChecks,
  taskUpdateChecks,
  updateOrderChecks,
  createdTaskChecks,
  subscriberChecks,
  timeoutChecks,
  subscriptionChecks,
  frameChecks,
  webhookChecks,
  deliveryChecks,
  notifiedKeys,
  oddReceivers,
  ownership,
  ownershipOnChain,
  identityData,
  identitySignature,
  confidentialData,
  sealedDataParams,
  versions,
  serviceCodes,
  sizes,
  versioning,
  anyMembers,
  conditions,
  oracles,
  oracleWorlds,
  oracleFaults,
  oracleHttp,
  oracleEgress,
  oracleRuns,
  oracleTime,
  oracleOutputs,
  explorerKeys,
  explorerKeyForms,
  explorerErrors,
  explorerPaths,
  explorerNetworks,
  explorerSecondNetwork,
  explorerTask,
  explorerShapes,
  explorerPolicy,
  explorerLists,
  explorerOrder,
  explorerStats,
  explorerWindows,
  explorerGrowth,
  explorerLimits,
  explorerReorganisation,
  quorum,
  unavailableOperators,
  failureTypeChecks,
  changedAttestation,
  expiryOnChain,
  operatorSetOnChain,
  challenges,
  rateLimits,
  onChain,
  crossSequences,
  taskChaos,
  secrecy,
  identityClock,
].flat()
