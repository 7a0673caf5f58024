import { type Fault, refusedMember } from '../lab/refusedMember.ts'
import { sendTaskSubject } from '../lab/subjects.ts'
import type { Check } from '../runner/check.ts'

/** Section 4.3: the params of sendTask, one fault at a time. */
const faults: readonly Fault[] = [
  { name: 'client-missing', path: 'policy_client', value: undefined, clauses: ['4.3-03'] },
  { name: 'client-null', path: 'policy_client', value: null, clauses: ['4.3-03'] },
  {
    name: 'client-short',
    path: 'policy_client',
    value: `0x${'11'.repeat(19)}`,
    clauses: ['4.3-03', '2.1-07'],
  },
  { name: 'intent-missing', path: 'intent', value: undefined, clauses: ['4.3-04'] },
  { name: 'intent-array', path: 'intent', value: [{}], clauses: ['4.3-04'] },
  { name: 'intent-empty', path: 'intent', value: {}, clauses: ['4.3-04'] },
  {
    name: 'intent-value-number',
    path: 'intent.value',
    value: 5,
    clauses: ['4.3-04', '2.1-16'],
  },
  { name: 'signature-object', path: 'intent_signature', value: {}, clauses: ['4.3-05'] },
  { name: 'quorum-number-odd', path: 'quorum_number', value: '0x0', clauses: ['4.3-06', '2.1-05'] },
  { name: 'quorum-number-number', path: 'quorum_number', value: 0, clauses: ['4.3-06'] },
  {
    name: 'threshold-101',
    path: 'quorum_threshold_percentage',
    value: 101,
    clauses: ['4.3-07', '4.2-12', '8-02'],
  },
  {
    name: 'threshold-negative',
    path: 'quorum_threshold_percentage',
    value: -1,
    clauses: ['4.3-07', '4.2-12', '8-02'],
  },
  {
    name: 'threshold-string',
    path: 'quorum_threshold_percentage',
    value: '67',
    clauses: ['4.3-07'],
  },
  { name: 'wasm-args-odd', path: 'wasm_args', value: '0x7', clauses: ['4.3-08', '2.1-05'] },
  { name: 'wasm-args-object', path: 'wasm_args', value: { a: 1 }, clauses: ['4.3-08', '2.1-10'] },
  { name: 'proof-cid-number', path: 'proof_cid', value: 5, clauses: ['4.3-09'] },
  { name: 'proof-cid-words', path: 'proof_cid', value: 'not a cid', clauses: ['4.3-20'] },
]

export const sendTaskParams: readonly Check[] = faults.map((fault) =>
  refusedMember(sendTaskSubject, fault),
)
