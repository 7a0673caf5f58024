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
import { identityData } from './4.10-identity-data.ts'
import { identityClock, identityRegistry } from './4.10-identity-registry.ts'
import { identitySignature } from './4.10-identity-signature.ts'
import { privateData } from './4.10-private-data.ts'
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
 * Checks with the file of this folder that exports them. Exclusive checks keep this order: the one that
 * mines past an expiration is near the end, the one that scans all responses is last.
 */
export const checksByFile: readonly (readonly [file: string, checks: readonly Check[]])[] = [
  // First, because they mostly wait.
  ['6.2-backoff.ts', backoffChecks],
  ['6.2-retries.ts', retryChecks],
  ['4.12-explorer-surfaces.ts', explorerSurfaces],
  ['2.9-explorer-life.ts', explorerLife],
  ['4.1-conventions.ts', conventions],
  ['7.1-standard-errors.ts', standardErrors],
  ['5.1-keys.ts', keys],
  ['5.1-permissions.ts', permissions],
  ['4.10-public-keys.ts', publicKeys],
  ['2.1-scalars.ts', scalars],
  ['2.2-task-intent.ts', taskIntent],
  ['1-rego.ts', rego],
  ['4.8-simulate-policy.ts', simulatePolicyChecks],
  ['4.8-policy-errors.ts', policyErrors],
  ['4.8-simulate-policy-params.ts', simulatePolicyParams],
  ['2.6-simulation-results.ts', simulationResults],
  ['4.2-create-task.ts', createTaskChecks],
  ['4.2-create-task-params.ts', createTaskParams],
  ['4.2-spend-warnings.ts', spendWarnings],
  ['4.2-intent-signature.ts', intentSignature],
  ['2.5-task-result.ts', taskResult],
  ['2.5-aggregation.ts', aggregation],
  ['4.4-simulate-task.ts', simulateTaskChecks],
  ['4.4-simulate-task-params.ts', simulateTaskParams],
  ['4.4-supplied-data.ts', suppliedData],
  ['4.4-availability.ts', availability],
  ['4.5-store-secrets.ts', storeSecretsChecks],
  ['4.5-envelopes.ts', storeSecretsEnvelopes],
  ['4.6-simulate-policy-data.ts', simulatePolicyDataChecks],
  ['2.7-secrets-schema.ts', secretsSchema],
  ['5.3-secrets-at-work.ts', secretsAtWork],
  ['5.3-secrets-in-errors.ts', secretsInErrors],
  ['5.4-intent-digest.ts', intentDigest],
  ['4.6-unreadable-secrets.ts', unreadableSecrets],
  ['4.7-simulate-with-client.ts', simulateWithClientChecks],
  ['4.6-simulate-policy-data-params.ts', simulatePolicyDataParams],
  ['4-parameter-matrix.ts', parameterMatrix],
  ['4.3-send-task.ts', sendTaskChecks],
  ['4.3-sent-task-attestation.ts', sentTaskAttestation],
  ['4.3-task-ids.ts', taskIds],
  ['4.3-send-task-options.ts', sendTaskOptions],
  ['4.3-send-task-params.ts', sendTaskParams],
  ['4.11-websocket.ts', websocketChecks],
  ['6.1-task-updates.ts', taskUpdateChecks],
  ['6.1-update-order.ts', updateOrderChecks],
  ['6.1-created-tasks.ts', createdTaskChecks],
  ['6.1-subscribers.ts', subscriberChecks],
  ['3-timeout.ts', timeoutChecks],
  ['6.1-subscriptions.ts', subscriptionChecks],
  ['6.1-frames.ts', frameChecks],
  ['4.9-webhooks.ts', webhookChecks],
  ['6.2-delivery.ts', deliveryChecks],
  ['6.2-notified-keys.ts', notifiedKeys],
  ['6.2-faulty-receivers.ts', oddReceivers],
  ['7.3-ownership.ts', ownership],
  ['5.2-ownership.ts', ownershipOnChain],
  ['4.10-identity-data.ts', identityData],
  ['4.10-identity-registry.ts', identityRegistry],
  ['4.10-identity-signature.ts', identitySignature],
  ['4.10-confidential-data.ts', confidentialData],
  ['4.10-sealed-data-params.ts', sealedDataParams],
  ['4.10-private-data.ts', privateData],
  ['7.2-versions.ts', versions],
  ['7.2-service-codes.ts', serviceCodes],
  ['8-sizes.ts', sizes],
  ['9-versioning.ts', versioning],
  ['7.4-any-member.ts', anyMembers],
  ['7.5-conditions.ts', conditions],
  ['1-oracles.ts', oracles],
  ['1-oracle-worlds.ts', oracleWorlds],
  ['1-oracle-faults.ts', oracleFaults],
  ['1-oracle-http.ts', oracleHttp],
  ['1-oracle-egress.ts', oracleEgress],
  ['1-oracle-runs.ts', oracleRuns],
  ['1-oracle-time.ts', oracleTime],
  ['1-oracle-outputs.ts', oracleOutputs],
  ['5.6-explorer-keys.ts', explorerKeys],
  ['5.6-explorer-key-forms.ts', explorerKeyForms],
  ['7.6-explorer-errors.ts', explorerErrors],
  ['4.12-explorer-paths.ts', explorerPaths],
  ['4.12-explorer-networks.ts', explorerNetworks],
  ['4.12-explorer-second-network.ts', explorerSecondNetwork],
  ['2.9-explorer-task.ts', explorerTask],
  ['2.9-explorer-shapes.ts', explorerShapes],
  ['2.10-explorer-policy.ts', explorerPolicy],
  ['4.12-explorer-lists.ts', explorerLists],
  ['4.12-explorer-order.ts', explorerOrder],
  ['4.12-explorer-stats.ts', explorerStats],
  ['4.12-explorer-windows.ts', explorerWindows],
  ['4.12-explorer-growth.ts', explorerGrowth],
  ['8-explorer-limits.ts', explorerLimits],
  ['4.12-explorer-reorganisation.ts', explorerReorganisation],
  ['4.2-quorum.ts', quorum],
  ['2.5-unavailable-operators.ts', unavailableOperators],
  ['6.3-failure-types.ts', failureTypeChecks],
  ['7.5-changed-attestation.ts', changedAttestation],
  ['7.5-expiry.ts', expiryOnChain],
  ['7.5-operator-set.ts', operatorSetOnChain],
  ['8-challenges.ts', challenges],
  ['8-rate-limits.ts', rateLimits],
  ['7.5-on-chain.ts', onChain],
  ['cross-sequences.ts', crossSequences],
  ['task-chaos.ts', taskChaos],
  ['4.1-secrecy.ts', secrecy],
  ['4.10-identity-registry.ts', identityClock],
]

/** Every check of the suite. */
export const checks: readonly Check[] = checksByFile.flatMap(([, each]) => each)
