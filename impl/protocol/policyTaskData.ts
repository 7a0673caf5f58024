import { type Static, Type } from '@sinclair/typebox'
import { Address, Bytes32, Data, WasmArgs } from './scalars.ts'

/** One data source of a policy, with the data it gave (section 2.4). */
export const PolicyData = Type.Object(
  {
    wasmArgs: Data,
    data: Data,
    attestation: Data,
    policyDataAddress: Address,
    expireBlock: Type.Integer({ minimum: 0, maximum: 0xffffffff, description: 'uint32' }),
  },
  { $id: 'PolicyData' },
)
export type PolicyData = Static<typeof PolicyData>

/** What a policy is evaluated on, as every response has it (section 2.4). */
export const PolicyTaskData = Type.Object(
  {
    policyId: Bytes32,
    policyAddress: Address,
    policy: Data,
    policyData: Type.Array(PolicyData, { maxItems: 64 }),
  },
  { $id: 'PolicyTaskData' },
)
export type PolicyTaskData = Static<typeof PolicyTaskData>

/**
 * Data that a caller supplies to `simulateTask` (section 2.4). Without `attestation` it is evaluated
 * as data that nobody has attested.
 */
const SuppliedData = Type.Object(
  { ...PolicyData.properties, attestation: Type.Optional(Data) },
  { $id: 'SuppliedData' },
)
export type SuppliedData = Static<typeof SuppliedData>

export const SuppliedTaskData = Type.Object(
  { ...PolicyTaskData.properties, policyData: Type.Array(SuppliedData, { maxItems: 64 }) },
  { $id: 'SuppliedTaskData' },
)
export type SuppliedTaskData = Static<typeof SuppliedTaskData>

/** A data source to be run by `simulatePolicy` (section 2.3). */
export const PolicyDataInput = Type.Object(
  { policy_data_address: Address, wasm_args: Type.Optional(WasmArgs) },
  { $id: 'PolicyDataInput' },
)
export type PolicyDataInput = Static<typeof PolicyDataInput>
