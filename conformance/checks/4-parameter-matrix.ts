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
  // 4.2-03: policy_client is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.policy-client': 'createTask.policy_client',
  // 4.2-04: intent is required and a TaskIntent.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.intent': 'createTask.intent',
  // 2.2-01: from is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.intent.from': 'createTask.intent.from',
  // 2.2-02: to is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.intent.to': 'createTask.intent.to',
  // 2.2-03: value is required and a Quantity of wei.
  // 2.1-16: A Quantity is a string: a JSON number in its place is refused.
  // 2.1-02: A Quantity is in its most compact form: without leading zeros.
  // 2.1-03: The Quantity zero is 0x0.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-01: A Quantity is a hex string with the 0x prefix.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.intent.value': 'createTask.intent.value',
  // 2.2-04: data is required and Data.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-04: Data is a hex string with the 0x prefix.
  // 2.1-06: Empty Data is 0x.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.intent.data': 'createTask.intent.data',
  // 2.2-05: chain_id is required and a Quantity.
  // 2.1-16: A Quantity is a string: a JSON number in its place is refused.
  // 2.1-02: A Quantity is in its most compact form: without leading zeros.
  // 2.1-03: The Quantity zero is 0x0.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-01: A Quantity is a hex string with the 0x prefix.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.intent.chain-id': 'createTask.intent.chain_id',
  // 2.2-06: function_signature is required and Data.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-04: Data is a hex string with the 0x prefix.
  // 2.1-06: Empty Data is 0x.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.intent.function-signature': 'createTask.intent.function_signature',
  // 4.2-05: intent_signature is optional for a policy that does not consume it.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.intent-signature': 'createTask.intent_signature',
  // 4.2-10: quorum_number is optional, hex bytes, and appears in task as quorumNumbers.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.quorum-number': 'createTask.quorum_number',
  // 4.2-11: quorum_threshold_percentage is optional and a number from 0 to 100.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.quorum-threshold-percentage': 'createTask.quorum_threshold_percentage',
  // 4.2-14: wasm_args is optional, reaches the oracle, and appears in task.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.wasm-args': 'createTask.wasm_args',
  // 4.2-15: timeout is optional, in seconds, and limits the duration of the call.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.timeout': 'createTask.timeout',
  // 4.2-17: proof_cid is optional and a string.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.proof-cid': 'createTask.proof_cid',
  // 4.2-18: include_validate_calldata is optional, boolean, and false by default.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.createTask.include-validate-calldata': 'createTask.include_validate_calldata',
  // 4.3-03: policy_client is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.sendTask.policy-client': 'sendTask.policy_client',
  // 4.3-04: intent is required and a TaskIntent.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.sendTask.intent': 'sendTask.intent',
  // 2.2-01: from is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.sendTask.intent.from': 'sendTask.intent.from',
  // 2.2-02: to is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.sendTask.intent.to': 'sendTask.intent.to',
  // 2.2-03: value is required and a Quantity of wei.
  // 2.1-16: A Quantity is a string: a JSON number in its place is refused.
  // 2.1-02: A Quantity is in its most compact form: without leading zeros.
  // 2.1-03: The Quantity zero is 0x0.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-01: A Quantity is a hex string with the 0x prefix.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.sendTask.intent.value': 'sendTask.intent.value',
  // 2.2-04: data is required and Data.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-04: Data is a hex string with the 0x prefix.
  // 2.1-06: Empty Data is 0x.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.sendTask.intent.data': 'sendTask.intent.data',
  // 2.2-05: chain_id is required and a Quantity.
  // 2.1-16: A Quantity is a string: a JSON number in its place is refused.
  // 2.1-02: A Quantity is in its most compact form: without leading zeros.
  // 2.1-03: The Quantity zero is 0x0.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-01: A Quantity is a hex string with the 0x prefix.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.sendTask.intent.chain-id': 'sendTask.intent.chain_id',
  // 2.2-06: function_signature is required and Data.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-04: Data is a hex string with the 0x prefix.
  // 2.1-06: Empty Data is 0x.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.sendTask.intent.function-signature': 'sendTask.intent.function_signature',
  // 4.3-05: intent_signature is optional, with the same meaning as for createTask.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.sendTask.intent-signature': 'sendTask.intent_signature',
  // 4.3-06: quorum_number is optional, with the same meaning.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.sendTask.quorum-number': 'sendTask.quorum_number',
  // 4.3-07: quorum_threshold_percentage is optional, with the same meaning.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.sendTask.quorum-threshold-percentage': 'sendTask.quorum_threshold_percentage',
  // 4.3-08: wasm_args is optional, with the same meaning.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.sendTask.wasm-args': 'sendTask.wasm_args',
  // 4.3-09: proof_cid is optional, with the same meaning.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.sendTask.proof-cid': 'sendTask.proof_cid',
  // 4.4-05: intent is required and a TaskIntent.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.intent': 'simulateTask.intent',
  // 2.2-01: from is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.intent.from': 'simulateTask.intent.from',
  // 2.2-02: to is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.intent.to': 'simulateTask.intent.to',
  // 2.2-03: value is required and a Quantity of wei.
  // 2.1-16: A Quantity is a string: a JSON number in its place is refused.
  // 2.1-02: A Quantity is in its most compact form: without leading zeros.
  // 2.1-03: The Quantity zero is 0x0.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-01: A Quantity is a hex string with the 0x prefix.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.intent.value': 'simulateTask.intent.value',
  // 2.2-04: data is required and Data.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-04: Data is a hex string with the 0x prefix.
  // 2.1-06: Empty Data is 0x.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.intent.data': 'simulateTask.intent.data',
  // 2.2-05: chain_id is required and a Quantity.
  // 2.1-16: A Quantity is a string: a JSON number in its place is refused.
  // 2.1-02: A Quantity is in its most compact form: without leading zeros.
  // 2.1-03: The Quantity zero is 0x0.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-01: A Quantity is a hex string with the 0x prefix.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.intent.chain-id': 'simulateTask.intent.chain_id',
  // 2.2-06: function_signature is required and Data.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-04: Data is a hex string with the 0x prefix.
  // 2.1-06: Empty Data is 0x.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.intent.function-signature': 'simulateTask.intent.function_signature',
  // 4.4-06: policy_task_data in the full form is a PolicyTaskData.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.policy-task-data': 'simulateTask.policy_task_data',
  // 2.4-01: policyId of policy_task_data is 32 bytes as hex.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.policy-task-data.policyId': 'simulateTask.policy_task_data.policyId',
  // 2.4-02: policyAddress of policy_task_data is an address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.policy-task-data.policyAddress':
    'simulateTask.policy_task_data.policyAddress',
  // 2.4-03: policy of policy_task_data is bytes as hex and may be 0x.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.policy-task-data.policy': 'simulateTask.policy_task_data.policy',
  // 2.4-04: policyData of policy_task_data is an array of entries.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.policy-task-data.policyData': 'simulateTask.policy_task_data.policyData',
  // 2.4-05: An entry’s wasmArgs is bytes as hex.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.policy-task-data.policyData.wasmArgs':
    'simulateTask.policy_task_data.policyData[].wasmArgs',
  // 2.4-06: An entry’s data is the pre-fetched output as hex bytes, and is what the policy sees.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.policy-task-data.policyData.data':
    'simulateTask.policy_task_data.policyData[].data',
  // 2.4-07: An entry’s attestation is bytes as hex.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.policy-task-data.policyData.attestation':
    'simulateTask.policy_task_data.policyData[].attestation',
  // 2.4-08: An entry’s policyDataAddress is an address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.policy-task-data.policyData.policyDataAddress':
    'simulateTask.policy_task_data.policyData[].policyDataAddress',
  // 2.4-09: An entry’s expireBlock is a uint32.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulateTask.policy-task-data.policyData.expireBlock':
    'simulateTask.policy_task_data.policyData[].expireBlock',
  // 4.8-02: policy_client is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.policy-client': 'simulatePolicy.policy_client',
  // 4.8-03: policy is required: Rego source as a string.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.policy': 'simulatePolicy.policy',
  // 4.8-04: intent is required and a TaskIntent.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.intent': 'simulatePolicy.intent',
  // 2.2-01: from is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.intent.from': 'simulatePolicy.intent.from',
  // 2.2-02: to is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.intent.to': 'simulatePolicy.intent.to',
  // 2.2-03: value is required and a Quantity of wei.
  // 2.1-16: A Quantity is a string: a JSON number in its place is refused.
  // 2.1-02: A Quantity is in its most compact form: without leading zeros.
  // 2.1-03: The Quantity zero is 0x0.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-01: A Quantity is a hex string with the 0x prefix.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.intent.value': 'simulatePolicy.intent.value',
  // 2.2-04: data is required and Data.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-04: Data is a hex string with the 0x prefix.
  // 2.1-06: Empty Data is 0x.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.intent.data': 'simulatePolicy.intent.data',
  // 2.2-05: chain_id is required and a Quantity.
  // 2.1-16: A Quantity is a string: a JSON number in its place is refused.
  // 2.1-02: A Quantity is in its most compact form: without leading zeros.
  // 2.1-03: The Quantity zero is 0x0.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-01: A Quantity is a hex string with the 0x prefix.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.intent.chain-id': 'simulatePolicy.intent.chain_id',
  // 2.2-06: function_signature is required and Data.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 2.1-04: Data is a hex string with the 0x prefix.
  // 2.1-06: Empty Data is 0x.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.intent.function-signature': 'simulatePolicy.intent.function_signature',
  // 4.8-05: policy_data is required: an array with one PolicyDataInput per oracle.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.policy-data': 'simulatePolicy.policy_data',
  // 2.3-01: policy_data_address is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.policy-data.policy-data-address':
    'simulatePolicy.policy_data[].policy_data_address',
  // 2.3-03: wasm_args, where sent, is Data and reaches the oracle.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.policy-data.wasm-args': 'simulatePolicy.policy_data[].wasm_args',
  // 4.8-06: entrypoint is optional; the default is policy.allow.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.entrypoint': 'simulatePolicy.entrypoint',
  // 4.8-07: policy_params is optional; the default is {}.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.policy-params': 'simulatePolicy.policy_params',
  // 4.8-10: intent_signature is optional and is what the policy reads as input.intent_signature.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicy.intent-signature': 'simulatePolicy.intent_signature',
  // 4.6-02: policy_data_address is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicyData.policy-data-address': 'simulatePolicyData.policy_data_address',
  // 4.6-03: chain_id is required and a Number; a chain that cannot be resolved is refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicyData.chain-id': 'simulatePolicyData.chain_id',
  // 4.6-04: secrets is optional: base64 of encrypted secrets, used in this run.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicyData.secrets': 'simulatePolicyData.secrets',
  // 4.6-05: wasm_args is optional and Data; it is the input of the oracle.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicyData.wasm-args': 'simulatePolicyData.wasm_args',
  // 4.7-02: policy_data_address is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicyDataWithClient.policy-data-address':
    'simulatePolicyDataWithClient.policy_data_address',
  // 4.7-03: policy_client is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicyDataWithClient.policy-client':
    'simulatePolicyDataWithClient.policy_client',
  // 4.7-04: wasm_args is optional and Data; it is the input of the oracle.
  // 2.1-05: Data has two digits a byte: an odd digit count is refused.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.simulatePolicyDataWithClient.wasm-args': 'simulatePolicyDataWithClient.wasm_args',
  // 4.5-02: policy_client is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.storeEncryptedSecrets.policy-client': 'storeEncryptedSecrets.policy_client',
  // 4.5-03: policy_data_address is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.storeEncryptedSecrets.policy-data-address':
    'storeEncryptedSecrets.policy_data_address',
  // 4.5-04: envelope is required: a SecureEnvelope, serialized as a JSON string.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.storeEncryptedSecrets.envelope': 'storeEncryptedSecrets.envelope',
  // 4.9-01: url is required and a string.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.registerWebhook.url': 'registerWebhook.url',
  // 4.9-03: secret is optional and a string.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.registerWebhook.secret': 'registerWebhook.secret',
  // 4.9-04: timeout_seconds is optional, a number, and limits each request.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.registerWebhook.timeout-seconds': 'registerWebhook.timeout_seconds',
  // 4.9-06: max_retries is optional, a number, and limits the attempts.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.registerWebhook.max-retries': 'registerWebhook.max_retries',
  // 4.9-08: failure_types is optional, an array of strings; failures of other types are not sent.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.registerWebhook.failure-types': 'registerWebhook.failure_types',
  // 4.10-09: identity_owner is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.uploadIdentityEncrypted.identity-owner': 'uploadIdentityEncrypted.identity_owner',
  // 4.10-10: identity_owner_sig is required and a String.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.uploadIdentityEncrypted.identity-owner-sig':
    'uploadIdentityEncrypted.identity_owner_sig',
  // 4.10-11: envelope of an identity upload is required and a String.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.uploadIdentityEncrypted.envelope': 'uploadIdentityEncrypted.envelope',
  // 4.10-12: identity_domain is required: 32 bytes as hex.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.uploadIdentityEncrypted.identity-domain': 'uploadIdentityEncrypted.identity_domain',
  // 4.10-13: chain_id of an identity upload is required and a Number.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.uploadIdentityEncrypted.chain-id': 'uploadIdentityEncrypted.chain_id',
  // 4.10-19: data_ref_id of the two getters is required and a String.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.getIdentityEncrypted.data-ref-id': 'getIdentityEncrypted.data_ref_id',
  // 4.10-23: provider is required and an Address.
  // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.uploadConfidentialData.provider': 'uploadConfidentialData.provider',
  // 4.10-25: domain is required: 32 bytes as hex.
  // 2.1-17: Hex digits outside 0-9 and a-f are refused.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.uploadConfidentialData.domain': 'uploadConfidentialData.domain',
  // 4.10-26: envelope of a confidential upload is required and a String.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.uploadConfidentialData.envelope': 'uploadConfidentialData.envelope',
  // 4.10-27: chain_id of a confidential upload is required and a Number.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  'rpc.matrix.uploadConfidentialData.chain-id': 'uploadConfidentialData.chain_id',
  // 4.10-19: data_ref_id of the two getters is required and a String.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
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
