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
    // 4.6-02: policy_data_address is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    simulatePolicyData: 'rpc.simulatePolicyData.params.data-missing',
    // 4.7-02: policy_data_address is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    simulatePolicyDataWithClient: 'rpc.simulatePolicyDataWithClient.params.data-missing',
    path: 'policy_data_address',
    value: undefined,
  },
  {
    // 4.6-02: policy_data_address is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    simulatePolicyData: 'rpc.simulatePolicyData.params.data-null',
    // 4.7-02: policy_data_address is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    simulatePolicyDataWithClient: 'rpc.simulatePolicyDataWithClient.params.data-null',
    path: 'policy_data_address',
    value: null,
  },
  {
    // 4.6-02: policy_data_address is required and an Address.
    // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    simulatePolicyData: 'rpc.simulatePolicyData.params.data-short',
    // 4.7-02: policy_data_address is required and an Address.
    // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    simulatePolicyDataWithClient: 'rpc.simulatePolicyDataWithClient.params.data-short',
    path: 'policy_data_address',
    value: short,
    more: ['2.1-07'],
  },
  {
    // 4.6-02: policy_data_address is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    simulatePolicyData: 'rpc.simulatePolicyData.params.data-number',
    // 4.7-02: policy_data_address is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    simulatePolicyDataWithClient: 'rpc.simulatePolicyDataWithClient.params.data-number',
    path: 'policy_data_address',
    value: 1,
  },
  {
    // 4.6-05: wasm_args is optional and Data; it is the input of the oracle.
    // 2.1-05: Data has two digits a byte: an odd digit count is refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    simulatePolicyData: 'rpc.simulatePolicyData.params.args-odd',
    // 4.7-04: wasm_args is optional and Data; it is the input of the oracle.
    // 2.1-05: Data has two digits a byte: an odd digit count is refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    simulatePolicyDataWithClient: 'rpc.simulatePolicyDataWithClient.params.args-odd',
    path: 'wasm_args',
    value: '0xabc',
    more: ['2.1-05'],
  },
  {
    // 4.6-05: wasm_args is optional and Data; it is the input of the oracle.
    // 2.1-17: Hex digits outside 0-9 and a-f are refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    simulatePolicyData: 'rpc.simulatePolicyData.params.args-no-hex',
    // 4.7-04: wasm_args is optional and Data; it is the input of the oracle.
    // 2.1-17: Hex digits outside 0-9 and a-f are refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    simulatePolicyDataWithClient: 'rpc.simulatePolicyDataWithClient.params.args-no-hex',
    path: 'wasm_args',
    value: '0xzz',
    more: ['2.1-17'],
  },
  {
    // 4.6-05: wasm_args is optional and Data; it is the input of the oracle.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    simulatePolicyData: 'rpc.simulatePolicyData.params.args-object',
    // 4.7-04: wasm_args is optional and Data; it is the input of the oracle.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
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
    // 4.6-03: chain_id is required and a Number; a chain that cannot be resolved is refused.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
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
    // 4.6-04: secrets is optional: base64 of encrypted secrets, used in this run.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
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
    // 4.7-03: policy_client is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
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
    // 4.7-03: policy_client is required and an Address.
    // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.simulatePolicyDataWithClient.params.client-short',
    path: 'policy_client',
    value: short,
    clauses: ['4.7-03', '2.1-07'],
  },
  {
    // 4.7-03: policy_client is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
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
    // 5.2-11: The error for an address that is not a policy client.
    id: 'rpc.simulatePolicyDataWithClient.observed.no-contract',
    path: 'policy_client',
    value: `0x${'5e'.repeat(20)}`,
    clauses: ['5.2-11'],
  }),
]
