import { type Static, Type } from '@sinclair/typebox'
import { Address, Bytes32, Data, WasmArgs } from './scalars.ts'

/** A data source of a policy and its data (section 2.4). */
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

/** The data that a policy is evaluated on, as contained in every response (section 2.4). */
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
 * Data supplied by the caller of `simulateTask` (section 2.4). Without `attestation` it is treated
 * as unattested.
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

/** A data source that `simulatePolicy` runs (section 2.3). */
export const PolicyDataInput = Type.Object(
  { policy_data_address: Address, wasm_args: Type.Optional(WasmArgs) },
  { $id: 'PolicyDataInput' },
)
export type PolicyDataInput = Static<typeof PolicyDataInput>
