import { type Static, Type } from '@sinclair/typebox'
import { Address, WasmArgs } from '../scalars.ts'
import type { Method } from './method.ts'
import { SimulatePolicyDataResult } from './simulatePolicyData.ts'

/** Section 4.7. */
export const SimulatePolicyDataWithClientParams = Type.Object({
  policy_data_address: Address,
  policy_client: Address,
  wasm_args: Type.Optional(WasmArgs),
})
export type SimulatePolicyDataWithClientParams = Static<typeof SimulatePolicyDataWithClientParams>

export const simulatePolicyDataWithClient = {
  summary: 'Runs one oracle with the stored secrets of a policy client.',
  permission: 'RpcRead',
  params: SimulatePolicyDataWithClientParams,
  result: SimulatePolicyDataResult,
} as const satisfies Method
