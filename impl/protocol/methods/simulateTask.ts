import { type Static, Type } from '@sinclair/typebox'
import { TaskIntent } from '../intent.ts'
import { SuppliedTaskData } from '../policyTaskData.ts'
import { Address, LenientData, Nullable, WasmArgs } from '../scalars.ts'
import type { Method } from './method.ts'

/** Section 4.4; the short form is `policy_client` and `intent` (decision T15). */
export const SimulateTaskParams = Type.Object({
  intent: TaskIntent,
  policy_task_data: Type.Optional(SuppliedTaskData),
  policy_client: Type.Optional(Address),
  intent_signature: Type.Optional(LenientData),
  wasm_args: Type.Optional(WasmArgs),
})
export type SimulateTaskParams = Static<typeof SimulateTaskParams>

export const SimulateTaskResult = Type.Object({
  success: Type.Boolean(),
  result: Type.Optional(Nullable(Type.Object({ allow: Type.Unknown(), reason: Type.String() }))),
  error: Type.Optional(Nullable(Type.String())),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type SimulateTaskResult = Static<typeof SimulateTaskResult>

export const simulateTask = {
  summary: 'Evaluates the policy of a task on given data, or on data collected now.',
  permission: 'RpcRead',
  params: SimulateTaskParams,
  result: SimulateTaskResult,
} as const satisfies Method
