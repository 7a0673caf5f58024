import type { Check } from '../core/check.ts'
import { type Fault, observedMember, refusedMember } from '../kit/scenarios/refusedMember.ts'
import {
  simulatePolicyDataSubject,
  simulateWithClientSubject,
} from '../kit/scenarios/secretsSubjects.ts'

/** Sections 4.6 and 4.7: the params of both methods that run one oracle, one fault at a time. */
const short = `0x${'11'.repeat(19)}`

const dataFaults = (method: string, section: '4.6' | '4.7', args: string): readonly Fault[] => [
  {
    id: `rpc.${method}.params.data-missing`,
    path: 'policy_data_address',
    value: undefined,
    clauses: [`${section}-02`],
  },
  {
    id: `rpc.${method}.params.data-null`,
    path: 'policy_data_address',
    value: null,
    clauses: [`${section}-02`],
  },
  {
    id: `rpc.${method}.params.data-short`,
    path: 'policy_data_address',
    value: short,
    clauses: [`${section}-02`, '2.1-07'],
  },
  {
    id: `rpc.${method}.params.data-number`,
    path: 'policy_data_address',
    value: 1,
    clauses: [`${section}-02`],
  },
  {
    id: `rpc.${method}.params.args-odd`,
    path: 'wasm_args',
    value: '0xabc',
    clauses: [args, '2.1-05'],
  },
  {
    id: `rpc.${method}.params.args-no-hex`,
    path: 'wasm_args',
    value: '0xzz',
    clauses: [args, '2.1-17'],
  },
  { id: `rpc.${method}.params.args-object`, path: 'wasm_args', value: {}, clauses: [args] },
]

const chainFaults: readonly Fault[] = [
  {
    id: 'rpc.simulatePolicyData.params.chain-missing',
    path: 'chain_id',
    value: undefined,
    clauses: ['4.6-03'],
  },
  {
    id: 'rpc.simulatePolicyData.params.chain-null',
    path: 'chain_id',
    value: null,
    clauses: ['4.6-03'],
  },
  {
    id: 'rpc.simulatePolicyData.params.chain-word',
    path: 'chain_id',
    value: 'mainnet',
    clauses: ['4.6-03'],
  },
  {
    id: 'rpc.simulatePolicyData.params.chain-fraction',
    path: 'chain_id',
    value: 1.5,
    clauses: ['4.6-03'],
  },
  {
    id: 'rpc.simulatePolicyData.params.chain-negative',
    path: 'chain_id',
    value: -1,
    clauses: ['4.6-03'],
  },
  {
    id: 'rpc.simulatePolicyData.params.secrets-number',
    path: 'secrets',
    value: 7,
    clauses: ['4.6-04'],
  },
  {
    id: 'rpc.simulatePolicyData.params.secrets-object',
    path: 'secrets',
    value: { enc: '00' },
    clauses: ['4.6-04'],
  },
]

const clientFaults: readonly Fault[] = [
  {
    id: 'rpc.simulatePolicyDataWithClient.params.client-missing',
    path: 'policy_client',
    value: undefined,
    clauses: ['4.7-03'],
  },
  {
    id: 'rpc.simulatePolicyDataWithClient.params.client-null',
    path: 'policy_client',
    value: null,
    clauses: ['4.7-03'],
  },
  {
    id: 'rpc.simulatePolicyDataWithClient.params.client-short',
    path: 'policy_client',
    value: short,
    clauses: ['4.7-03', '2.1-07'],
  },
  {
    id: 'rpc.simulatePolicyDataWithClient.params.client-object',
    path: 'policy_client',
    value: {},
    clauses: ['4.7-03'],
  },
]

export const simulatePolicyDataParams: readonly Check[] = [
  ...[...dataFaults('simulatePolicyData', '4.6', '4.6-05'), ...chainFaults].map((fault) =>
    refusedMember(simulatePolicyDataSubject, fault),
  ),
  ...[...dataFaults('simulatePolicyDataWithClient', '4.7', '4.7-04'), ...clientFaults].map(
    (fault) => refusedMember(simulateWithClientSubject, fault),
  ),
  observedMember(simulateWithClientSubject, {
    id: 'rpc.simulatePolicyDataWithClient.observed.no-contract',
    path: 'policy_client',
    value: `0x${'5e'.repeat(20)}`,
    clauses: ['5.2-11'],
  }),
]
