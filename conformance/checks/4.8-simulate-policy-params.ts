import type { Check } from '../core/check.ts'
import { type Fault, observedMember, refusedMember } from '../kit/scenarios/refusedMember.ts'
import { simulatePolicySubject } from '../kit/scenarios/subjects.ts'

/** Section 4.8: the params of simulatePolicy, one fault at a time. */
const short = `0x${'11'.repeat(19)}`
const somewhere = `0x${'11'.repeat(20)}`

const faults: readonly Fault[] = [
  {
    id: 'rpc.simulatePolicy.params.client-missing',
    path: 'policy_client',
    value: undefined,
    clauses: ['4.8-02'],
  },
  {
    id: 'rpc.simulatePolicy.params.client-short',
    path: 'policy_client',
    value: short,
    clauses: ['4.8-02', '2.1-07'],
  },
  {
    id: 'rpc.simulatePolicy.params.client-null',
    path: 'policy_client',
    value: null,
    clauses: ['4.8-02'],
  },
  {
    id: 'rpc.simulatePolicy.params.policy-missing',
    path: 'policy',
    value: undefined,
    clauses: ['4.8-03'],
  },
  { id: 'rpc.simulatePolicy.params.policy-number', path: 'policy', value: 7, clauses: ['4.8-03'] },
  { id: 'rpc.simulatePolicy.params.policy-object', path: 'policy', value: {}, clauses: ['4.8-03'] },
  {
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
    id: 'rpc.simulatePolicy.params.policy-data-no-address',
    path: 'policy_data',
    value: [{}],
    clauses: ['2.3-01', '4.8-05'],
  },
  {
    id: 'rpc.simulatePolicy.params.policy-data-short-address',
    path: 'policy_data',
    value: [{ policy_data_address: short }],
    clauses: ['2.3-01', '2.1-07'],
  },
  {
    id: 'rpc.simulatePolicy.params.policy-data-odd-args',
    path: 'policy_data',
    value: [{ policy_data_address: somewhere, wasm_args: '0xabc' }],
    clauses: ['2.3-03', '2.1-05'],
  },
  {
    id: 'rpc.simulatePolicy.params.policy-data-args-object',
    path: 'policy_data',
    value: [{ policy_data_address: somewhere, wasm_args: {} }],
    clauses: ['2.3-03'],
  },
  {
    id: 'rpc.simulatePolicy.params.entrypoint-number',
    path: 'entrypoint',
    value: 1,
    clauses: ['4.8-06'],
  },
  {
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
    id: 'rpc.simulatePolicy.params.signature-odd',
    path: 'intent_signature',
    value: '0xabc',
    clauses: ['4.8-10', '2.1-05'],
  },
  {
    id: 'rpc.simulatePolicy.params.signature-object',
    path: 'intent_signature',
    value: {},
    clauses: ['4.8-10'],
  },
]

export const simulatePolicyParams: readonly Check[] = [
  ...faults.map((fault) => refusedMember(simulatePolicySubject, fault)),
  observedMember(simulatePolicySubject, {
    id: 'rpc.simulatePolicy.observed.no-contract',
    path: 'policy_data',
    value: [{ policy_data_address: `0x${'dead'.repeat(10)}` }],
    clauses: ['4.8-18'],
  }),
]
