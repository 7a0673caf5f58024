import { clauses } from 'polgate-conformance/register/register.ts'
import { oracleCallMutants } from './1-oracle-calls.ts'
import { oracleRunMutants } from './1-oracle-runs.ts'
import { regoMutants } from './1-rego.ts'
import { serviceMutants } from './1-service.ts'
import { scalarMutants } from './2.1-scalars.ts'
import { intentMutants } from './2.2-task-intent.ts'
import { policyTaskDataMutants } from './2.4-policy-task-data.ts'
import { attestationMutants } from './2.5-aggregation.ts'
import { taskResultMutants } from './2.5-task-result.ts'
import { simulationResultMutants } from './2.6-simulation-results.ts'
import { secretsSchemaMutants } from './2.7-secrets-schema.ts'
import { failureNotificationMutants } from './2.8-failure-notification.ts'
import { explorerDetailMutants } from './2.9-explorer-detail.ts'
import { explorerTaskMutants } from './2.9-explorer-task.ts'
import { explorerPolicyMutants } from './2.10-explorer-policy.ts'
import { stateMutants } from './3-states.ts'
import { conventionMutants } from './4.1-conventions.ts'
import { createTaskMutants } from './4.2-create-task.ts'
import { taskParamsMutants } from './4.2-create-task-params.ts'
import { sendTaskMutants } from './4.3-send-task.ts'
import { simulateTaskMutants } from './4.4-simulate-task.ts'
import { storeSecretsMutants } from './4.5-store-secrets.ts'
import { simulatePolicyDataMutants } from './4.6-simulate-policy-data.ts'
import { simulateWithClientMutants } from './4.7-simulate-with-client.ts'
import { simulatePolicyMutants } from './4.8-simulate-policy.ts'
import { webhookMutants } from './4.9-webhooks.ts'
import { confidentialMutants } from './4.10-confidential-data.ts'
import { identityMutants } from './4.10-identity-data.ts'
import { privateDataMutants } from './4.10-private-data.ts'
import { publicKeyMutants } from './4.10-public-keys.ts'
import { explorerMutants } from './4.12-explorer.ts'
import { explorerListMutants } from './4.12-explorer-lists.ts'
import { keyMutants } from './5.1-keys.ts'
import { ownershipMutants } from './5.2-ownership.ts'
import { secretsHandlingMutants } from './5.3-secrets-handling.ts'
import { intentDigestMutants } from './5.4-intent-digest.ts'
import { webhookSignatureMutants } from './5.5-webhook-signature.ts'
import { explorerKeyMutants } from './5.6-explorer-keys.ts'
import { updateMutants } from './6.1-task-updates.ts'
import { failureDeliveryMutants } from './6.2-failure-notifications.ts'
import { failureTypeMutants } from './6.3-failure-types.ts'
import {
  httpStatusMutants,
  serviceErrorMutants,
  standardErrorMutants,
} from './7.1-standard-errors.ts'
import { messageMutants } from './7.3-messages.ts'
import { conditionMutants } from './7.5-conditions.ts'
import { onChainMutants } from './7.5-on-chain.ts'
import { explorerErrorMutants } from './7.6-explorer-errors.ts'
import { limitMutants } from './8-limits.ts'
import { versionMutants } from './9-versioning.ts'
import { crossMutants } from './cross-surfaces.ts'
import type { Mutant } from './mutant.ts'

/** Every mutant, in the order of the sections. */
export const mutants: readonly Mutant[] = [
  scalarMutants,
  intentMutants,
  taskResultMutants,
  attestationMutants,
  stateMutants,
  conventionMutants,
  createTaskMutants,
  taskParamsMutants,
  sendTaskMutants,
  updateMutants,
  standardErrorMutants,
  serviceErrorMutants,
  httpStatusMutants,
  conditionMutants,
  onChainMutants,
  oracleCallMutants,
  oracleRunMutants,
  regoMutants,
  serviceMutants,
  policyTaskDataMutants,
  simulationResultMutants,
  secretsSchemaMutants,
  simulateTaskMutants,
  storeSecretsMutants,
  simulatePolicyDataMutants,
  simulateWithClientMutants,
  simulatePolicyMutants,
  ownershipMutants,
  secretsHandlingMutants,
  messageMutants,
  crossMutants,
  failureNotificationMutants,
  explorerDetailMutants,
  explorerTaskMutants,
  explorerPolicyMutants,
  webhookMutants,
  confidentialMutants,
  privateDataMutants,
  identityMutants,
  publicKeyMutants,
  explorerMutants,
  explorerListMutants,
  keyMutants,
  intentDigestMutants,
  webhookSignatureMutants,
  explorerKeyMutants,
  failureDeliveryMutants,
  failureTypeMutants,
  explorerErrorMutants,
  limitMutants,
  versionMutants,
].flat()

const open = new Set(clauses.filter(({ level }) => level === 'may').map(({ id }) => id))

/**
 * Mutants that break only what the specification leaves open: the reference implementation may not
 * behave like that, a third party may.
 */
export const choices: readonly Mutant[] = mutants.filter((mutant) =>
  mutant.clauses.every((clause) => open.has(clause)),
)

/** Mutants that are faults of any gateway. */
export const faults: readonly Mutant[] = mutants.filter((mutant) => !choices.includes(mutant))
