import type { Check } from '../core/check.ts'
import { type Fault, observedMember, refusedMember } from '../kit/scenarios/refusedMember.ts'
import { simulatePolicySubject } from '../kit/scenarios/subjects.ts'

/** Section 4.8: the params of simulatePolicy, one fault at a time. */
const short = `0x${'11'.repeat(19)}`
const somewhere = `0x${'11'.repeat(20)}`

const faults: readonly Fault[] = [
  {
    // 4.8-02: policy_client is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.client-missing',
    path: 'policy_client',
    value: undefined,
    clauses: ['4.8-02'],
  },
  {
    // 4.8-02: policy_client is required and an Address.
    // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.client-short',
    path: 'policy_client',
    value: short,
    clauses: ['4.8-02', '2.1-07'],
  },
  {
    // 4.8-02: policy_client is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.client-null',
    path: 'policy_client',
    value: null,
    clauses: ['4.8-02'],
  },
  {
    // 4.8-03: policy is required: Rego source as a string.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.policy-missing',
    path: 'policy',
    value: undefined,
    clauses: ['4.8-03'],
  },
  { id: 'rpc.simulatePolicy.params.policy-number', path: 'policy', value: 7, clauses: ['4.8-03'] },
  { id: 'rpc.simulatePolicy.params.policy-object', path: 'policy', value: {}, clauses: ['4.8-03'] },
  {
    // 4.8-04: intent is required and a TaskIntent.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.intent-missing',
    path: 'intent',
    value: undefined,
    clauses: ['4.8-04'],
  },
  {
    id: 'rpc.simulatePolicy.params.intent-string',
    path: 'intent',
    value: 'transfer',
    clauses: ['4.8-04'],
  },
  { id: 'rpc.simulatePolicy.params.intent-array', path: 'intent', value: [], clauses: ['4.8-04'] },
  {
    // 4.8-05: policy_data is required: an array with one PolicyDataInput per oracle.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.policy-data-missing',
    path: 'policy_data',
    value: undefined,
    clauses: ['4.8-05'],
  },
  {
    id: 'rpc.simulatePolicy.params.policy-data-object',
    path: 'policy_data',
    value: {},
    clauses: ['4.8-05'],
  },
  {
    id: 'rpc.simulatePolicy.params.policy-data-strings',
    path: 'policy_data',
    value: [somewhere],
    clauses: ['4.8-05'],
  },
  {
    // 2.3-01: policy_data_address is required and an Address.
    // 4.8-05: policy_data is required: an array with one PolicyDataInput per oracle.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.policy-data-no-address',
    path: 'policy_data',
    value: [{}],
    clauses: ['2.3-01', '4.8-05'],
  },
  {
    // 2.3-01: policy_data_address is required and an Address.
    // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.policy-data-short-address',
    path: 'policy_data',
    value: [{ policy_data_address: short }],
    clauses: ['2.3-01', '2.1-07'],
  },
  {
    // 2.3-03: wasm_args, where sent, is Data and reaches the oracle.
    // 2.1-05: Data has two digits a byte: an odd digit count is refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.policy-data-odd-args',
    path: 'policy_data',
    value: [{ policy_data_address: somewhere, wasm_args: '0xabc' }],
    clauses: ['2.3-03', '2.1-05'],
  },
  {
    // 2.3-03: wasm_args, where sent, is Data and reaches the oracle.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.policy-data-args-object',
    path: 'policy_data',
    value: [{ policy_data_address: somewhere, wasm_args: {} }],
    clauses: ['2.3-03'],
  },
  {
    // 4.8-06: entrypoint is optional; the default is policy.allow.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.entrypoint-number',
    path: 'entrypoint',
    value: 1,
    clauses: ['4.8-06'],
  },
  {
    // 4.8-07: policy_params is optional; the default is {}.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.params-string',
    path: 'policy_params',
    value: 'max=1',
    clauses: ['4.8-07'],
  },
  {
    id: 'rpc.simulatePolicy.params.params-array',
    path: 'policy_params',
    value: [1],
    clauses: ['4.8-07'],
  },
  {
    // 4.8-10: intent_signature is optional and is what the policy reads as input.intent_signature.
    // 2.1-05: Data has two digits a byte: an odd digit count is refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.signature-odd',
    path: 'intent_signature',
    value: '0xabc',
    clauses: ['4.8-10', '2.1-05'],
  },
  {
    // 4.8-10: intent_signature is optional and is what the policy reads as input.intent_signature.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicy.params.signature-object',
    path: 'intent_signature',
    value: {},
    clauses: ['4.8-10'],
  },
]

export const simulatePolicyParams: readonly Check[] = [
  ...faults.map((fault) => refusedMember(simulatePolicySubject, fault)),
  observedMember(simulatePolicySubject, {
    // 4.8-18: What a gateway does with a PolicyData address without a contract.
    id: 'rpc.simulatePolicy.observed.no-contract',
    path: 'policy_data',
    value: [{ policy_data_address: `0x${'dead'.repeat(10)}` }],
    clauses: ['4.8-18'],
  }),
]
