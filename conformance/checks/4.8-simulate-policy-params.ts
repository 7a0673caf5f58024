import { type Fault, observedMember, refusedMember } from '../lab/refusedMember.ts'
import { simulatePolicySubject } from '../lab/subjects.ts'
import type { Check } from '../runner/check.ts'

/** Section 4.8: the params of simulatePolicy, one fault at a time. */
const short = `0x${'11'.repeat(19)}`
const somewhere = `0x${'11'.repeat(20)}`

const faults: readonly Fault[] = [
  { name: 'client-missing', path: 'policy_client', value: undefined, clauses: ['4.8-02'] },
  { name: 'client-short', path: 'policy_client', value: short, clauses: ['4.8-02', '2.1-07'] },
  { name: 'client-null', path: 'policy_client', value: null, clauses: ['4.8-02'] },
  { name: 'policy-missing', path: 'policy', value: undefined, clauses: ['4.8-03'] },
  { name: 'policy-number', path: 'policy', value: 7, clauses: ['4.8-03'] },
  { name: 'policy-object', path: 'policy', value: {}, clauses: ['4.8-03'] },
  { name: 'intent-missing', path: 'intent', value: undefined, clauses: ['4.8-04'] },
  { name: 'intent-string', path: 'intent', value: 'transfer', clauses: ['4.8-04'] },
  { name: 'intent-array', path: 'intent', value: [], clauses: ['4.8-04'] },
  { name: 'policy-data-missing', path: 'policy_data', value: undefined, clauses: ['4.8-05'] },
  { name: 'policy-data-object', path: 'policy_data', value: {}, clauses: ['4.8-05'] },
  { name: 'policy-data-strings', path: 'policy_data', value: [somewhere], clauses: ['4.8-05'] },
  {
    name: 'policy-data-no-address',
    path: 'policy_data',
    value: [{}],
    clauses: ['2.3-01', '4.8-05'],
  },
  {
    name: 'policy-data-short-address',
    path: 'policy_data',
    value: [{ policy_data_address: short }],
    clauses: ['2.3-01', '2.1-07'],
  },
  {
    name: 'policy-data-odd-args',
    path: 'policy_data',
    value: [{ policy_data_address: somewhere, wasm_args: '0xabc' }],
    clauses: ['2.3-03', '2.1-05'],
  },
  {
    name: 'policy-data-args-object',
    path: 'policy_data',
    value: [{ policy_data_address: somewhere, wasm_args: {} }],
    clauses: ['2.3-03'],
  },
  { name: 'entrypoint-number', path: 'entrypoint', value: 1, clauses: ['4.8-06'] },
  { name: 'params-string', path: 'policy_params', value: 'max=1', clauses: ['4.8-07'] },
  { name: 'params-array', path: 'policy_params', value: [1], clauses: ['4.8-07'] },
  {
    name: 'signature-odd',
    path: 'intent_signature',
    value: '0xabc',
    clauses: ['4.8-10', '2.1-05'],
  },
  { name: 'signature-object', path: 'intent_signature', value: {}, clauses: ['4.8-10'] },
]

export const simulatePolicyParams: readonly Check[] = [
  ...faults.map((fault) => refusedMember(simulatePolicySubject, fault)),
  observedMember(simulatePolicySubject, {
    name: 'no-contract',
    path: 'policy_data',
    value: [{ policy_data_address: `0x${'dead'.repeat(10)}` }],
    clauses: ['4.8-18'],
  }),
]
