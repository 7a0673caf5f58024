import type { Check } from '../core/check.ts'
import { type Fault, observedMember, refusedMember } from '../kit/scenarios/refusedMember.ts'
import { createTaskSubject, sendTaskSubject } from '../kit/scenarios/subjects.ts'

/** Section 4.2: the params of createTask, one fault at a time. */
const faults: readonly Fault[] = [
  {
    // 4.2-03: policy_client is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.createTask.params.client-missing',
    path: 'policy_client',
    value: undefined,
    clauses: ['4.2-03'],
  },
  {
    id: 'rpc.createTask.params.client-null',
    path: 'policy_client',
    value: null,
    clauses: ['4.2-03'],
  },
  {
    id: 'rpc.createTask.params.client-number',
    path: 'policy_client',
    value: 1,
    clauses: ['4.2-03'],
  },
  {
    // 4.2-03: policy_client is required and an Address.
    // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.createTask.params.client-short',
    path: 'policy_client',
    value: `0x${'11'.repeat(19)}`,
    clauses: ['4.2-03', '2.1-07'],
  },
  {
    // 4.2-04: intent is required and a TaskIntent.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.createTask.params.intent-missing',
    path: 'intent',
    value: undefined,
    clauses: ['4.2-04'],
  },
  { id: 'rpc.createTask.params.intent-null', path: 'intent', value: null, clauses: ['4.2-04'] },
  {
    id: 'rpc.createTask.params.intent-string',
    path: 'intent',
    value: 'a transfer',
    clauses: ['4.2-04'],
  },
  { id: 'rpc.createTask.params.intent-array', path: 'intent', value: [{}], clauses: ['4.2-04'] },
  { id: 'rpc.createTask.params.intent-empty', path: 'intent', value: {}, clauses: ['4.2-04'] },
  {
    // 4.2-10: quorum_number is optional, hex bytes, and appears in task as quorumNumbers.
    // 2.1-05: Data has two digits a byte: an odd digit count is refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.createTask.params.quorum-number-odd',
    path: 'quorum_number',
    value: '0x0',
    clauses: ['4.2-10', '2.1-05'],
  },
  {
    // 4.2-10: quorum_number is optional, hex bytes, and appears in task as quorumNumbers.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.createTask.params.quorum-number-number',
    path: 'quorum_number',
    value: 0,
    clauses: ['4.2-10'],
  },
  {
    id: 'rpc.createTask.params.quorum-number-words',
    path: 'quorum_number',
    value: 'zero',
    clauses: ['4.2-10'],
  },
  {
    // 4.2-12: A threshold outside 0-100 is refused.
    // 4.2-11: quorum_threshold_percentage is optional and a number from 0 to 100.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.createTask.params.threshold-101',
    path: 'quorum_threshold_percentage',
    value: 101,
    clauses: ['4.2-12', '4.2-11'],
  },
  {
    id: 'rpc.createTask.params.threshold-negative',
    path: 'quorum_threshold_percentage',
    value: -1,
    clauses: ['4.2-12', '4.2-11'],
  },
  {
    // 4.2-11: quorum_threshold_percentage is optional and a number from 0 to 100.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.createTask.params.threshold-string',
    path: 'quorum_threshold_percentage',
    value: '67',
    clauses: ['4.2-11'],
  },
  {
    // 4.2-14: wasm_args is optional, reaches the oracle, and appears in task.
    // 2.1-05: Data has two digits a byte: an odd digit count is refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.createTask.params.wasm-args-odd',
    path: 'wasm_args',
    value: '0x7',
    clauses: ['4.2-14', '2.1-05'],
  },
  {
    // 4.2-14: wasm_args is optional, reaches the oracle, and appears in task.
    // 2.1-10: wasm_args is the hex encoding of a UTF-8 JSON string.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.createTask.params.wasm-args-object',
    path: 'wasm_args',
    value: { a: 1 },
    clauses: ['4.2-14', '2.1-10'],
  },
  // 4.2-15: timeout is optional, in seconds, and limits the duration of the call.
  // 7.1-04: Invalid params are -32602.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  { id: 'rpc.createTask.params.timeout-string', path: 'timeout', value: '30', clauses: ['4.2-15'] },
  {
    // 4.2-17: proof_cid is optional and a string.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.createTask.params.proof-cid-number',
    path: 'proof_cid',
    value: 5,
    clauses: ['4.2-17'],
  },
  {
    // 4.2-32: proof_cid is an IPFS content id; other text is refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.createTask.params.proof-cid-words',
    path: 'proof_cid',
    value: 'not a cid',
    clauses: ['4.2-32'],
  },
  {
    id: 'rpc.createTask.params.proof-cid-cut',
    path: 'proof_cid',
    value: 'bafkreigh2akiscaildcqabsyg3dfr6chu3',
    clauses: ['4.2-32'],
  },
  {
    // 4.2-18: include_validate_calldata is optional, boolean, and false by default.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.createTask.params.include-calldata-string',
    path: 'include_validate_calldata',
    value: 'true',
    clauses: ['4.2-18'],
  },
  {
    // 4.2-05: intent_signature is optional for a policy that does not consume it.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.createTask.params.signature-object',
    path: 'intent_signature',
    value: {},
    clauses: ['4.2-05'],
  },
]

const timeouts = {
  // 4.2-30: What a gateway does with a timeout that is 0, negative or very large.
  'rpc.createTask.observed.timeout-zero': 0,
  'rpc.createTask.observed.timeout-negative': -1,
  'rpc.createTask.observed.timeout-huge': 1e9,
}

/** Invalid quorum lists, and the checks of both methods: which quorums exist is open. */
const quorums = [
  {
    value: '0x7f',
    // 4.2-26: What a gateway does with a quorum number that does not exist.
    createTask: 'rpc.createTask.observed.quorum-number-unknown',
    sendTask: 'rpc.sendTask.observed.quorum-number-unknown',
  },
  {
    value: '0x007f',
    createTask: 'rpc.createTask.observed.quorum-number-one-unknown',
    sendTask: 'rpc.sendTask.observed.quorum-number-one-unknown',
  },
  {
    value: '0x',
    createTask: 'rpc.createTask.observed.quorum-number-empty',
    sendTask: 'rpc.sendTask.observed.quorum-number-empty',
  },
  {
    value: '0x0000',
    createTask: 'rpc.createTask.observed.quorum-number-twice',
    sendTask: 'rpc.sendTask.observed.quorum-number-twice',
  },
  {
    value: '0x0100',
    createTask: 'rpc.createTask.observed.quorum-number-descending',
    sendTask: 'rpc.sendTask.observed.quorum-number-descending',
  },
] as const

export const createTaskParams: readonly Check[] = [
  ...faults.map((fault) => refusedMember(createTaskSubject, fault)),
  ...Object.entries(timeouts).map(([id, value]) =>
    observedMember(createTaskSubject, { id, path: 'timeout', value, clauses: ['4.2-30'] }),
  ),
  ...[createTaskSubject, sendTaskSubject].flatMap((subject) =>
    quorums.map((row) =>
      observedMember(subject, {
        id: row[subject.method],
        path: 'quorum_number',
        value: row.value,
        clauses: ['4.2-26'],
      }),
    ),
  ),
  observedMember(createTaskSubject, {
    // 4.2-28: How a task for an unknown policy client is refused: failed task or error object.
    id: 'rpc.createTask.observed.unknown-client',
    path: 'policy_client',
    value: `0x${'dead'.repeat(10)}`,
    clauses: ['4.2-28'],
  }),
]
