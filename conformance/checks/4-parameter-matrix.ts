import type { Check } from '../core/check.ts'
import { ConformanceError } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { type MalformedCase, malformed, matrix } from '../kit/matrix/matrix.ts'
import { nameOf, type Parameter, parameters } from '../kit/matrix/parameters.ts'
import { expectInvalidParams, type Subject } from '../kit/scenarios/refusedMember.ts'
import {
  getConfidentialSubject,
  getIdentitySubject,
  uploadConfidentialSubject,
  uploadIdentitySubject,
} from '../kit/scenarios/sealedDataSubjects.ts'
import {
  simulatePolicyDataSubject,
  simulateWithClientSubject,
  storeSecretsSubject,
} from '../kit/scenarios/secretsSubjects.ts'
import {
  createTaskSubject,
  sendTaskSubject,
  simulatePolicySubject,
  simulateTaskSubject,
} from '../kit/scenarios/subjects.ts'
import { registerWebhookSubject } from '../kit/scenarios/webhookSubject.ts'

/**
 * Section 4: every parameter of every method refuses what section 2.1 and its type exclude. A check for
 * each parameter; its values are those of the matrix of method, parameter and rule. By default each two
 * of the three are tried together at least once; a run with the full matrix tries all.
 */
const subjects = new Map<string, Subject>(
  [
    createTaskSubject,
    sendTaskSubject,
    simulateTaskSubject,
    simulatePolicySubject,
    storeSecretsSubject,
    simulatePolicyDataSubject,
    simulateWithClientSubject,
    registerWebhookSubject,
    uploadIdentitySubject,
    getIdentitySubject,
    uploadConfidentialSubject,
    getConfidentialSubject,
  ].map((subject) => [subject.method, subject]),
)

/** The parameter of each check. */
const parameterOf: Readonly<Record<string, string>> = {
  'rpc.matrix.createTask.policy-client': 'createTask.policy_client',
  'rpc.matrix.createTask.intent': 'createTask.intent',
  'rpc.matrix.createTask.intent.from': 'createTask.intent.from',
  'rpc.matrix.createTask.intent.to': 'createTask.intent.to',
  'rpc.matrix.createTask.intent.value': 'createTask.intent.value',
  'rpc.matrix.createTask.intent.data': 'createTask.intent.data',
  'rpc.matrix.createTask.intent.chain-id': 'createTask.intent.chain_id',
  'rpc.matrix.createTask.intent.function-signature': 'createTask.intent.function_signature',
  'rpc.matrix.createTask.intent-signature': 'createTask.intent_signature',
  'rpc.matrix.createTask.quorum-number': 'createTask.quorum_number',
  'rpc.matrix.createTask.quorum-threshold-percentage': 'createTask.quorum_threshold_percentage',
  'rpc.matrix.createTask.wasm-args': 'createTask.wasm_args',
  'rpc.matrix.createTask.timeout': 'createTask.timeout',
  'rpc.matrix.createTask.proof-cid': 'createTask.proof_cid',
  'rpc.matrix.createTask.include-validate-calldata': 'createTask.include_validate_calldata',
  'rpc.matrix.sendTask.policy-client': 'sendTask.policy_client',
  'rpc.matrix.sendTask.intent': 'sendTask.intent',
  'rpc.matrix.sendTask.intent.from': 'sendTask.intent.from',
  'rpc.matrix.sendTask.intent.to': 'sendTask.intent.to',
  'rpc.matrix.sendTask.intent.value': 'sendTask.intent.value',
  'rpc.matrix.sendTask.intent.data': 'sendTask.intent.data',
  'rpc.matrix.sendTask.intent.chain-id': 'sendTask.intent.chain_id',
  'rpc.matrix.sendTask.intent.function-signature': 'sendTask.intent.function_signature',
  'rpc.matrix.sendTask.intent-signature': 'sendTask.intent_signature',
  'rpc.matrix.sendTask.quorum-number': 'sendTask.quorum_number',
  'rpc.matrix.sendTask.quorum-threshold-percentage': 'sendTask.quorum_threshold_percentage',
  'rpc.matrix.sendTask.wasm-args': 'sendTask.wasm_args',
  'rpc.matrix.sendTask.proof-cid': 'sendTask.proof_cid',
  'rpc.matrix.simulateTask.intent': 'simulateTask.intent',
  'rpc.matrix.simulateTask.intent.from': 'simulateTask.intent.from',
  'rpc.matrix.simulateTask.intent.to': 'simulateTask.intent.to',
  'rpc.matrix.simulateTask.intent.value': 'simulateTask.intent.value',
  'rpc.matrix.simulateTask.intent.data': 'simulateTask.intent.data',
  'rpc.matrix.simulateTask.intent.chain-id': 'simulateTask.intent.chain_id',
  'rpc.matrix.simulateTask.intent.function-signature': 'simulateTask.intent.function_signature',
  'rpc.matrix.simulateTask.policy-task-data': 'simulateTask.policy_task_data',
  'rpc.matrix.simulateTask.policy-task-data.policyId': 'simulateTask.policy_task_data.policyId',
  'rpc.matrix.simulateTask.policy-task-data.policyAddress':
    'simulateTask.policy_task_data.policyAddress',
  'rpc.matrix.simulateTask.policy-task-data.policy': 'simulateTask.policy_task_data.policy',
  'rpc.matrix.simulateTask.policy-task-data.policyData': 'simulateTask.policy_task_data.policyData',
  'rpc.matrix.simulateTask.policy-task-data.policyData.wasmArgs':
    'simulateTask.policy_task_data.policyData[].wasmArgs',
  'rpc.matrix.simulateTask.policy-task-data.policyData.data':
    'simulateTask.policy_task_data.policyData[].data',
  'rpc.matrix.simulateTask.policy-task-data.policyData.attestation':
    'simulateTask.policy_task_data.policyData[].attestation',
  'rpc.matrix.simulateTask.policy-task-data.policyData.policyDataAddress':
    'simulateTask.policy_task_data.policyData[].policyDataAddress',
  'rpc.matrix.simulateTask.policy-task-data.policyData.expireBlock':
    'simulateTask.policy_task_data.policyData[].expireBlock',
  'rpc.matrix.simulatePolicy.policy-client': 'simulatePolicy.policy_client',
  'rpc.matrix.simulatePolicy.policy': 'simulatePolicy.policy',
  'rpc.matrix.simulatePolicy.intent': 'simulatePolicy.intent',
  'rpc.matrix.simulatePolicy.intent.from': 'simulatePolicy.intent.from',
  'rpc.matrix.simulatePolicy.intent.to': 'simulatePolicy.intent.to',
  'rpc.matrix.simulatePolicy.intent.value': 'simulatePolicy.intent.value',
  'rpc.matrix.simulatePolicy.intent.data': 'simulatePolicy.intent.data',
  'rpc.matrix.simulatePolicy.intent.chain-id': 'simulatePolicy.intent.chain_id',
  'rpc.matrix.simulatePolicy.intent.function-signature': 'simulatePolicy.intent.function_signature',
  'rpc.matrix.simulatePolicy.policy-data': 'simulatePolicy.policy_data',
  'rpc.matrix.simulatePolicy.policy-data.policy-data-address':
    'simulatePolicy.policy_data[].policy_data_address',
  'rpc.matrix.simulatePolicy.policy-data.wasm-args': 'simulatePolicy.policy_data[].wasm_args',
  'rpc.matrix.simulatePolicy.entrypoint': 'simulatePolicy.entrypoint',
  'rpc.matrix.simulatePolicy.policy-params': 'simulatePolicy.policy_params',
  'rpc.matrix.simulatePolicy.intent-signature': 'simulatePolicy.intent_signature',
  'rpc.matrix.simulatePolicyData.policy-data-address': 'simulatePolicyData.policy_data_address',
  'rpc.matrix.simulatePolicyData.chain-id': 'simulatePolicyData.chain_id',
  'rpc.matrix.simulatePolicyData.secrets': 'simulatePolicyData.secrets',
  'rpc.matrix.simulatePolicyData.wasm-args': 'simulatePolicyData.wasm_args',
  'rpc.matrix.simulatePolicyDataWithClient.policy-data-address':
    'simulatePolicyDataWithClient.policy_data_address',
  'rpc.matrix.simulatePolicyDataWithClient.policy-client':
    'simulatePolicyDataWithClient.policy_client',
  'rpc.matrix.simulatePolicyDataWithClient.wasm-args': 'simulatePolicyDataWithClient.wasm_args',
  'rpc.matrix.storeEncryptedSecrets.policy-client': 'storeEncryptedSecrets.policy_client',
  'rpc.matrix.storeEncryptedSecrets.policy-data-address':
    'storeEncryptedSecrets.policy_data_address',
  'rpc.matrix.storeEncryptedSecrets.envelope': 'storeEncryptedSecrets.envelope',
  'rpc.matrix.registerWebhook.url': 'registerWebhook.url',
  'rpc.matrix.registerWebhook.secret': 'registerWebhook.secret',
  'rpc.matrix.registerWebhook.timeout-seconds': 'registerWebhook.timeout_seconds',
  'rpc.matrix.registerWebhook.max-retries': 'registerWebhook.max_retries',
  'rpc.matrix.registerWebhook.failure-types': 'registerWebhook.failure_types',
  'rpc.matrix.uploadIdentityEncrypted.identity-owner': 'uploadIdentityEncrypted.identity_owner',
  'rpc.matrix.uploadIdentityEncrypted.identity-owner-sig':
    'uploadIdentityEncrypted.identity_owner_sig',
  'rpc.matrix.uploadIdentityEncrypted.envelope': 'uploadIdentityEncrypted.envelope',
  'rpc.matrix.uploadIdentityEncrypted.identity-domain': 'uploadIdentityEncrypted.identity_domain',
  'rpc.matrix.uploadIdentityEncrypted.chain-id': 'uploadIdentityEncrypted.chain_id',
  'rpc.matrix.getIdentityEncrypted.data-ref-id': 'getIdentityEncrypted.data_ref_id',
  'rpc.matrix.uploadConfidentialData.provider': 'uploadConfidentialData.provider',
  'rpc.matrix.uploadConfidentialData.domain': 'uploadConfidentialData.domain',
  'rpc.matrix.uploadConfidentialData.envelope': 'uploadConfidentialData.envelope',
  'rpc.matrix.uploadConfidentialData.chain-id': 'uploadConfidentialData.chain_id',
  'rpc.matrix.getConfidentialData.data-ref-id': 'getConfidentialData.data_ref_id',
}

/** The refusal of one case; a failure names the rule and its clause. */
async function expectRefusal(
  t: CheckContext,
  { method, key = 'read' }: Subject,
  valid: Record<string, unknown>,
  each: MalformedCase,
): Promise<void> {
  const { parameter, rule } = each
  const answer = await t.gateway.call(method, malformed(valid, each), { key })
  try {
    expectInvalidParams(answer)
  } catch (error) {
    if (!(error instanceof ConformanceError)) throw error
    t.cases.failed()
    const value = JSON.stringify(rule.value) ?? 'absent'
    const clause = rule.clause ?? parameter.clause
    throw new ConformanceError(
      `${parameter.path} with ${rule.fault} (${value}; clause ${clause}): ${error.message}`,
      { expected: error.expected, observed: error.observed },
    )
  }
}

function checkOf(id: string, parameter: Parameter, cases: readonly MalformedCase[]): Check {
  const { method, path, clause } = parameter
  const subject = subjects.get(method)
  if (subject === undefined) throw new Error(`no valid params of ${method} are known`)
  const broken = cases.flatMap(({ rule }) => rule.clause ?? [])
  return {
    id,
    title: `${method} refuses every malformed ${path}`,
    clauses: [...new Set([clause, ...broken, '7.1-04', '7.3-02'])],
    level: 'must',
    needs: subject.needs,
    twin: subject.twin,
    run: async (t) => {
      await t.twin(() => subject.accepted(t))
      const valid = await subject.params(t)
      const tried = cases.filter(({ sampled }) => sampled || t.fullMatrix)
      for (const each of tried) {
        t.cases.begins()
        await expectRefusal(t, subject, valid, each)
      }
      t.covered({ tried: tried.length, of: cases.length })
    },
  }
}

export const parameterMatrix: readonly Check[] = Object.entries(parameterOf).map(([id, name]) => {
  const parameter = parameters.find((each) => nameOf(each) === name)
  if (parameter === undefined) throw new Error(`${id}: no method has a parameter ${name}`)
  const cases = matrix.filter((each) => each.parameter === parameter)
  return checkOf(id, parameter, cases)
})
