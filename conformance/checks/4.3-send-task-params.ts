import type { Check } from '../core/check.ts'
import { type Fault, refusedMember } from '../kit/scenarios/refusedMember.ts'
import { sendTaskSubject } from '../kit/scenarios/subjects.ts'

/** Section 4.3: the params of sendTask, one fault at a time. */
const faults: readonly Fault[] = [
  {
    // 4.3-03: policy_client is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.sendTask.params.client-missing',
    path: 'policy_client',
    value: undefined,
    clauses: ['4.3-03'],
  },
  {
    id: 'rpc.sendTask.params.client-null',
    path: 'policy_client',
    value: null,
    clauses: ['4.3-03'],
  },
  {
    // 4.3-03: policy_client is required and an Address.
    // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.sendTask.params.client-short',
    path: 'policy_client',
    value: `0x${'11'.repeat(19)}`,
    clauses: ['4.3-03', '2.1-07'],
  },
  {
    // 4.3-04: intent is required and a TaskIntent.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.sendTask.params.intent-missing',
    path: 'intent',
    value: undefined,
    clauses: ['4.3-04'],
  },
  { id: 'rpc.sendTask.params.intent-array', path: 'intent', value: [{}], clauses: ['4.3-04'] },
  { id: 'rpc.sendTask.params.intent-empty', path: 'intent', value: {}, clauses: ['4.3-04'] },
  {
    // 4.3-04: intent is required and a TaskIntent.
    // 2.1-16: A Quantity is a string: a JSON number in its place is refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.sendTask.params.intent-value-number',
    path: 'intent.value',
    value: 5,
    clauses: ['4.3-04', '2.1-16'],
  },
  {
    // 4.3-05: intent_signature is optional, with the same meaning as for createTask.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.sendTask.params.signature-object',
    path: 'intent_signature',
    value: {},
    clauses: ['4.3-05'],
  },
  {
    // 4.3-06: quorum_number is optional, with the same meaning.
    // 2.1-05: Data has two digits a byte: an odd digit count is refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.sendTask.params.quorum-number-odd',
    path: 'quorum_number',
    value: '0x0',
    clauses: ['4.3-06', '2.1-05'],
  },
  {
    // 4.3-06: quorum_number is optional, with the same meaning.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.sendTask.params.quorum-number-number',
    path: 'quorum_number',
    value: 0,
    clauses: ['4.3-06'],
  },
  {
    // 4.3-07: quorum_threshold_percentage is optional, with the same meaning.
    // 4.2-12: A threshold outside 0-100 is refused.
    // 8-02: The quorum threshold is a percentage from 0 to 100, of createTask and of sendTask.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.sendTask.params.threshold-101',
    path: 'quorum_threshold_percentage',
    value: 101,
    clauses: ['4.3-07', '4.2-12', '8-02'],
  },
  {
    id: 'rpc.sendTask.params.threshold-negative',
    path: 'quorum_threshold_percentage',
    value: -1,
    clauses: ['4.3-07', '4.2-12', '8-02'],
  },
  {
    // 4.3-07: quorum_threshold_percentage is optional, with the same meaning.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.sendTask.params.threshold-string',
    path: 'quorum_threshold_percentage',
    value: '67',
    clauses: ['4.3-07'],
  },
  {
    // 4.3-08: wasm_args is optional, with the same meaning.
    // 2.1-05: Data has two digits a byte: an odd digit count is refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.sendTask.params.wasm-args-odd',
    path: 'wasm_args',
    value: '0x7',
    clauses: ['4.3-08', '2.1-05'],
  },
  {
    // 4.3-08: wasm_args is optional, with the same meaning.
    // 2.1-10: wasm_args is the hex encoding of a UTF-8 JSON string.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.sendTask.params.wasm-args-object',
    path: 'wasm_args',
    value: { a: 1 },
    clauses: ['4.3-08', '2.1-10'],
  },
  // 4.3-09: proof_cid is optional, with the same meaning.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  { id: 'rpc.sendTask.params.proof-cid-number', path: 'proof_cid', value: 5, clauses: ['4.3-09'] },
  {
    // 4.3-20: proof_cid is an IPFS content id; other text is refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.sendTask.params.proof-cid-words',
    path: 'proof_cid',
    value: 'not a cid',
    clauses: ['4.3-20'],
  },
]

export const sendTaskParams: readonly Check[] = faults.map((fault) =>
  refusedMember(sendTaskSubject, fault),
)
