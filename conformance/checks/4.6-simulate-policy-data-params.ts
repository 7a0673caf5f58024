import type { Check } from '../core/check.ts'
import { type Fault, observedMember, refusedMember } from '../kit/scenarios/refusedMember.ts'
import {
  simulatePolicyDataSubject,
  simulateWithClientSubject,
} from '../kit/scenarios/secretsSubjects.ts'

/** Sections 4.6 and 4.7: the params of both methods that run one oracle, one fault at a time. */
const short = `0x${'11'.repeat(19)}`

/** Where each method specifies the params that both have. */
const clauses = {
  simulatePolicyData: { policy_data_address: '4.6-02', wasm_args: '4.6-05' },
  simulatePolicyDataWithClient: { policy_data_address: '4.7-02', wasm_args: '4.7-04' },
} as const

type Method = keyof typeof clauses

/** A fault of such a param, with the id of its check for each method. */
type SharedFault = Readonly<Record<Method, string>> & {
  readonly path: keyof (typeof clauses)[Method]
  readonly value: unknown
  readonly more?: readonly string[]
}

const sharedFaults: readonly SharedFault[] = [
  {
    simulatePolicyData: 'rpc.simulatePolicyData.params.data-missing',
    simulatePolicyDataWithClient: 'rpc.simulatePolicyDataWithClient.params.data-missing',
    path: 'policy_data_address',
    value: undefined,
  },
  {
    simulatePolicyData: 'rpc.simulatePolicyData.params.data-null',
    simulatePolicyDataWithClient: 'rpc.simulatePolicyDataWithClient.params.data-null',
    path: 'policy_data_address',
    value: null,
  },
  {
    simulatePolicyData: 'rpc.simulatePolicyData.params.data-short',
    simulatePolicyDataWithClient: 'rpc.simulatePolicyDataWithClient.params.data-short',
    path: 'policy_data_address',
    value: short,
    more: ['2.1-07'],
  },
  {
    simulatePolicyData: 'rpc.simulatePolicyData.params.data-number',
    simulatePolicyDataWithClient: 'rpc.simulatePolicyDataWithClient.params.data-number',
    path: 'policy_data_address',
    value: 1,
  },
  {
    simulatePolicyData: 'rpc.simulatePolicyData.params.args-odd',
    simulatePolicyDataWithClient: 'rpc.simulatePolicyDataWithClient.params.args-odd',
    path: 'wasm_args',
    value: '0xabc',
    more: ['2.1-05'],
  },
  {
    simulatePolicyData: 'rpc.simulatePolicyData.params.args-no-hex',
    simulatePolicyDataWithClient: 'rpc.simulatePolicyDataWithClient.params.args-no-hex',
    path: 'wasm_args',
    value: '0xzz',
    more: ['2.1-17'],
  },
  {
    simulatePolicyData: 'rpc.simulatePolicyData.params.args-object',
    simulatePolicyDataWithClient: 'rpc.simulatePolicyDataWithClient.params.args-object',
    path: 'wasm_args',
    value: {},
  },
]

const dataFaults = (method: Method): readonly Fault[] =>
  sharedFaults.map(({ path, value, more = [], ...ids }) => ({
    id: ids[method],
    path,
    value,
    clauses: [clauses[method][path], ...more],
  }))

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
  ...[...dataFaults('simulatePolicyData'), ...chainFaults].map((fault) =>
    refusedMember(simulatePolicyDataSubject, fault),
  ),
  ...[...dataFaults('simulatePolicyDataWithClient'), ...clientFaults].map((fault) =>
    refusedMember(simulateWithClientSubject, fault),
  ),
  observedMember(simulateWithClientSubject, {
    id: 'rpc.simulatePolicyDataWithClient.observed.no-contract',
    path: 'policy_client',
    value: `0x${'5e'.repeat(20)}`,
    clauses: ['5.2-11'],
  }),
]
