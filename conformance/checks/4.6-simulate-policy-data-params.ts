import { type Fault, observedMember, refusedMember } from '../lab/refusedMember.ts'
import { simulatePolicyDataSubject, simulateWithClientSubject } from '../lab/secretsSubjects.ts'
import type { Check } from '../runner/check.ts'

/** Sections 4.6 and 4.7: the params of both methods that run one oracle, one fault at a time. */
const short = `0x${'11'.repeat(19)}`

const dataFaults = (section: '4.6' | '4.7', args: string): readonly Fault[] => [
  {
    name: 'data-missing',
    path: 'policy_data_address',
    value: undefined,
    clauses: [`${section}-02`],
  },
  { name: 'data-null', path: 'policy_data_address', value: null, clauses: [`${section}-02`] },
  {
    name: 'data-short',
    path: 'policy_data_address',
    value: short,
    clauses: [`${section}-02`, '2.1-07'],
  },
  { name: 'data-number', path: 'policy_data_address', value: 1, clauses: [`${section}-02`] },
  { name: 'args-odd', path: 'wasm_args', value: '0xabc', clauses: [args, '2.1-05'] },
  { name: 'args-no-hex', path: 'wasm_args', value: '0xzz', clauses: [args, '2.1-17'] },
  { name: 'args-object', path: 'wasm_args', value: {}, clauses: [args] },
]

const chainFaults: readonly Fault[] = [
  { name: 'chain-missing', path: 'chain_id', value: undefined, clauses: ['4.6-03'] },
  { name: 'chain-null', path: 'chain_id', value: null, clauses: ['4.6-03'] },
  { name: 'chain-word', path: 'chain_id', value: 'mainnet', clauses: ['4.6-03'] },
  { name: 'chain-fraction', path: 'chain_id', value: 1.5, clauses: ['4.6-03'] },
  { name: 'chain-negative', path: 'chain_id', value: -1, clauses: ['4.6-03'] },
  { name: 'secrets-number', path: 'secrets', value: 7, clauses: ['4.6-04'] },
  { name: 'secrets-object', path: 'secrets', value: { enc: '00' }, clauses: ['4.6-04'] },
]

const clientFaults: readonly Fault[] = [
  { name: 'client-missing', path: 'policy_client', value: undefined, clauses: ['4.7-03'] },
  { name: 'client-null', path: 'policy_client', value: null, clauses: ['4.7-03'] },
  { name: 'client-short', path: 'policy_client', value: short, clauses: ['4.7-03', '2.1-07'] },
  { name: 'client-object', path: 'policy_client', value: {}, clauses: ['4.7-03'] },
]

export const simulatePolicyDataParams: readonly Check[] = [
  ...[...dataFaults('4.6', '4.6-05'), ...chainFaults].map((fault) =>
    refusedMember(simulatePolicyDataSubject, fault),
  ),
  ...[...dataFaults('4.7', '4.7-04'), ...clientFaults].map((fault) =>
    refusedMember(simulateWithClientSubject, fault),
  ),
  observedMember(simulateWithClientSubject, {
    name: 'no-contract',
    path: 'policy_client',
    value: `0x${'5e'.repeat(20)}`,
    clauses: ['5.2-11'],
  }),
]
