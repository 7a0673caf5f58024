import type { Check } from '../core/check.ts'
import { type Fault, refusedMember } from '../kit/scenarios/refusedMember.ts'
import { simulateTaskSubject } from '../kit/scenarios/subjects.ts'

/** Sections 4.4 and 2.4: the params of simulateTask, one fault at a time. */
const at = (member: string) => `policy_task_data.${member}`
const somewhere = `0x${'11'.repeat(20)}`
const entry = {
  wasmArgs: '0x',
  data: '0x7b7d',
  attestation: '0x',
  policyDataAddress: somewhere,
  expireBlock: 4_000_000_000,
}
const withEntry = (change: Record<string, unknown>) => [{ ...entry, ...change }]

const faults: readonly Fault[] = [
  {
    // 4.4-05: intent is required and a TaskIntent.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulateTask.params.intent-missing',
    path: 'intent',
    value: undefined,
    clauses: ['4.4-05'],
  },
  {
    id: 'rpc.simulateTask.params.intent-string',
    path: 'intent',
    value: 'a transfer',
    clauses: ['4.4-05'],
  },
  {
    // 4.4-06: policy_task_data in the full form is a PolicyTaskData.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulateTask.params.task-data-missing',
    path: 'policy_task_data',
    value: undefined,
    clauses: ['4.4-06'],
  },
  {
    id: 'rpc.simulateTask.params.task-data-string',
    path: 'policy_task_data',
    value: '0x',
    clauses: ['4.4-06'],
  },
  {
    id: 'rpc.simulateTask.params.task-data-array',
    path: 'policy_task_data',
    value: [],
    clauses: ['4.4-06'],
  },
  {
    id: 'rpc.simulateTask.params.task-data-empty',
    path: 'policy_task_data',
    value: {},
    clauses: ['4.4-06'],
  },
  {
    // 2.4-01: policyId of policy_task_data is 32 bytes as hex.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulateTask.params.policy-id-short',
    path: at('policyId'),
    value: '0x11',
    clauses: ['2.4-01'],
  },
  {
    id: 'rpc.simulateTask.params.policy-id-missing',
    path: at('policyId'),
    value: undefined,
    clauses: ['2.4-01'],
  },
  {
    // 2.4-02: policyAddress of policy_task_data is an address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulateTask.params.policy-address-short',
    path: at('policyAddress'),
    value: '0x11',
    clauses: ['2.4-02'],
  },
  {
    // 2.4-03: policy of policy_task_data is bytes as hex and may be 0x.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulateTask.params.policy-odd',
    path: at('policy'),
    value: '0xabc',
    clauses: ['2.4-03'],
  },
  {
    // 2.4-04: policyData of policy_task_data is an array of entries.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulateTask.params.policy-data-object',
    path: at('policyData'),
    value: {},
    clauses: ['2.4-04'],
  },
  {
    id: 'rpc.simulateTask.params.policy-data-missing',
    path: at('policyData'),
    value: undefined,
    clauses: ['2.4-04'],
  },
  {
    // 2.4-05: An entry’s wasmArgs is bytes as hex.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulateTask.params.entry-wasm-args',
    path: at('policyData'),
    value: withEntry({ wasmArgs: 'args' }),
    clauses: ['2.4-05'],
  },
  {
    // 2.4-06: An entry’s data is the pre-fetched output as hex bytes, and is what the policy sees.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulateTask.params.entry-data-odd',
    path: at('policyData'),
    value: withEntry({ data: '0x7' }),
    clauses: ['2.4-06'],
  },
  {
    // 2.4-07: An entry’s attestation is bytes as hex.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulateTask.params.entry-attestation',
    path: at('policyData'),
    value: withEntry({ attestation: 7 }),
    clauses: ['2.4-07'],
  },
  {
    // 2.4-08: An entry’s policyDataAddress is an address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulateTask.params.entry-address',
    path: at('policyData'),
    value: withEntry({ policyDataAddress: '0x' }),
    clauses: ['2.4-08'],
  },
  {
    // 2.4-09: An entry’s expireBlock is a uint32.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulateTask.params.entry-expire-block-too-large',
    path: at('policyData'),
    value: withEntry({ expireBlock: 2 ** 32 }),
    clauses: ['2.4-09'],
  },
  {
    id: 'rpc.simulateTask.params.entry-expire-block-negative',
    path: at('policyData'),
    value: withEntry({ expireBlock: -1 }),
    clauses: ['2.4-09'],
  },
]

export const simulateTaskParams: readonly Check[] = [
  ...faults.map((fault) => refusedMember(simulateTaskSubject, fault)),
]
