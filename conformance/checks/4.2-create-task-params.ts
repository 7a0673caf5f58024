import { decidedMember, type Fault, observedMember, refusedMember } from '../lab/refusedMember.ts'
import { createTaskSubject, sendTaskSubject } from '../lab/subjects.ts'
import type { Check } from '../runner/check.ts'

/** Section 4.2: the params of createTask, one fault at a time. */
const faults: readonly Fault[] = [
  { name: 'client-missing', path: 'policy_client', value: undefined, clauses: ['4.2-03'] },
  { name: 'client-null', path: 'policy_client', value: null, clauses: ['4.2-03'] },
  { name: 'client-number', path: 'policy_client', value: 1, clauses: ['4.2-03'] },
  {
    name: 'client-short',
    path: 'policy_client',
    value: `0x${'11'.repeat(19)}`,
    clauses: ['4.2-03', '2.1-07'],
  },
  { name: 'intent-missing', path: 'intent', value: undefined, clauses: ['4.2-04'] },
  { name: 'intent-null', path: 'intent', value: null, clauses: ['4.2-04'] },
  { name: 'intent-string', path: 'intent', value: 'a transfer', clauses: ['4.2-04'] },
  { name: 'intent-array', path: 'intent', value: [{}], clauses: ['4.2-04'] },
  { name: 'intent-empty', path: 'intent', value: {}, clauses: ['4.2-04'] },
  { name: 'quorum-number-odd', path: 'quorum_number', value: '0x0', clauses: ['4.2-10', '2.1-05'] },
  { name: 'quorum-number-number', path: 'quorum_number', value: 0, clauses: ['4.2-10'] },
  { name: 'quorum-number-words', path: 'quorum_number', value: 'zero', clauses: ['4.2-10'] },
  {
    name: 'threshold-101',
    path: 'quorum_threshold_percentage',
    value: 101,
    clauses: ['4.2-12', '4.2-11'],
  },
  {
    name: 'threshold-negative',
    path: 'quorum_threshold_percentage',
    value: -1,
    clauses: ['4.2-12', '4.2-11'],
  },
  {
    name: 'threshold-string',
    path: 'quorum_threshold_percentage',
    value: '67',
    clauses: ['4.2-11'],
  },
  { name: 'wasm-args-odd', path: 'wasm_args', value: '0x7', clauses: ['4.2-14', '2.1-05'] },
  { name: 'wasm-args-object', path: 'wasm_args', value: { a: 1 }, clauses: ['4.2-14', '2.1-10'] },
  { name: 'timeout-string', path: 'timeout', value: '30', clauses: ['4.2-15'] },
  { name: 'proof-cid-number', path: 'proof_cid', value: 5, clauses: ['4.2-17'] },
  { name: 'proof-cid-words', path: 'proof_cid', value: 'not a cid', clauses: ['4.2-32'] },
  {
    name: 'proof-cid-cut',
    path: 'proof_cid',
    value: 'bafkreigh2akiscaildcqabsyg3dfr6chu3',
    clauses: ['4.2-32'],
  },
  {
    name: 'include-calldata-string',
    path: 'include_validate_calldata',
    value: 'true',
    clauses: ['4.2-18'],
  },
  { name: 'signature-object', path: 'intent_signature', value: {}, clauses: ['4.2-05'] },
]

/** Invalid quorum lists: which quorums exist is open. */
const quorums = {
  unknown: '0x7f',
  'one-unknown': '0x007f',
  empty: '0x',
  twice: '0x0000',
  descending: '0x0100',
} as const

export const createTaskParams: readonly Check[] = [
  ...faults.map((fault) => refusedMember(createTaskSubject, fault)),
  ...Object.entries({ zero: 0, negative: -1, huge: 1e9 }).map(([name, value]) =>
    decidedMember(
      createTaskSubject,
      { name: `timeout-${name}`, path: 'timeout', value, clauses: ['4.2-30'] },
      -32602,
    ),
  ),
  ...[createTaskSubject, sendTaskSubject].flatMap((subject) =>
    Object.entries(quorums).map(([name, value]) =>
      decidedMember(
        subject,
        { name: `quorum-number-${name}`, path: 'quorum_number', value, clauses: ['4.2-26'] },
        -32602,
      ),
    ),
  ),
  observedMember(createTaskSubject, {
    name: 'unknown-client',
    path: 'policy_client',
    value: `0x${'dead'.repeat(10)}`,
    clauses: ['4.2-28'],
  }),
]
