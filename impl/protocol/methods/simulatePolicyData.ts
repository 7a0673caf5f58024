import { type Static, Type } from '@sinclair/typebox'
import { Address, Nullable, NumericChainId, UnixSeconds, WasmArgs } from '../scalars.ts'
import type { Method } from './method.ts'

/** Base64 text of an envelope of 256 KiB (decision K8; decisions, section 9). */
const maxSecretsLength = 4 * Math.ceil((256 * 1024) / 3)

/** Section 4.6. */
export const SimulatePolicyDataParams = Type.Object({
  policy_data_address: Address,
  chain_id: NumericChainId,
  /** Base64 of an envelope string (decision K8). */
  secrets: Type.Optional(Type.String({ maxLength: maxSecretsLength })),
  wasm_args: Type.Optional(WasmArgs),
})
export type SimulatePolicyDataParams = Static<typeof SimulatePolicyDataParams>

/** Section 2.6. */
export const OracleOutput = Type.Object(
  {
    /** Content id of the component. */
    specifier: Type.String(),
    /** Output of the oracle, an object. */
    data: Type.Unsafe<unknown>(Type.Object({})),
    timestamp: UnixSeconds,
  },
  { $id: 'OracleOutput' },
)

export const SimulatePolicyDataResult = Type.Object({
  success: Type.Boolean(),
  policy_data: Type.Optional(Nullable(OracleOutput)),
  error: Type.Optional(Nullable(Type.String())),
})
export type SimulatePolicyDataResult = Static<typeof SimulatePolicyDataResult>

export const simulatePolicyData = {
  summary: 'Runs one oracle with secrets sent by the caller.',
  permission: 'RpcRead',
  params: SimulatePolicyDataParams,
  result: SimulatePolicyDataResult,
} as const satisfies Method
