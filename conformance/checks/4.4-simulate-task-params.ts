import { type Fault, refusedMember } from '../lab/refusedMember.ts'
import { simulateTaskSubject } from '../lab/subjects.ts'
import type { Check } from '../runner/check.ts'

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
  { name: 'intent-missing', path: 'intent', value: undefined, clauses: ['4.4-05'] },
  { name: 'intent-string', path: 'intent', value: 'a transfer', clauses: ['4.4-05'] },
  { name: 'task-data-missing', path: 'policy_task_data', value: undefined, clauses: ['4.4-06'] },
  { name: 'task-data-string', path: 'policy_task_data', value: '0x', clauses: ['4.4-06'] },
  { name: 'task-data-array', path: 'policy_task_data', value: [], clauses: ['4.4-06'] },
  { name: 'task-data-empty', path: 'policy_task_data', value: {}, clauses: ['4.4-06'] },
  { name: 'policy-id-short', path: at('policyId'), value: '0x11', clauses: ['2.4-01'] },
  { name: 'policy-id-missing', path: at('policyId'), value: undefined, clauses: ['2.4-01'] },
  { name: 'policy-address-short', path: at('policyAddress'), value: '0x11', clauses: ['2.4-02'] },
  { name: 'policy-odd', path: at('policy'), value: '0xabc', clauses: ['2.4-03'] },
  { name: 'policy-data-object', path: at('policyData'), value: {}, clauses: ['2.4-04'] },
  { name: 'policy-data-missing', path: at('policyData'), value: undefined, clauses: ['2.4-04'] },
  {
    name: 'entry-wasm-args',
    path: at('policyData'),
    value: withEntry({ wasmArgs: 'args' }),
    clauses: ['2.4-05'],
  },
  {
    name: 'entry-data-odd',
    path: at('policyData'),
    value: withEntry({ data: '0x7' }),
    clauses: ['2.4-06'],
  },
  {
    name: 'entry-attestation',
    path: at('policyData'),
    value: withEntry({ attestation: 7 }),
    clauses: ['2.4-07'],
  },
  {
    name: 'entry-address',
    path: at('policyData'),
    value: withEntry({ policyDataAddress: '0x' }),
    clauses: ['2.4-08'],
  },
  {
    name: 'entry-expire-block-too-large',
    path: at('policyData'),
    value: withEntry({ expireBlock: 2 ** 32 }),
    clauses: ['2.4-09'],
  },
  {
    name: 'entry-expire-block-negative',
    path: at('policyData'),
    value: withEntry({ expireBlock: -1 }),
    clauses: ['2.4-09'],
  },
]

export const simulateTaskParams: readonly Check[] = [
  ...faults.map((fault) => refusedMember(simulateTaskSubject, fault)),
]
