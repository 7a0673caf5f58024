import { type Static, Type } from '@sinclair/typebox'
import { ContentId } from '../contentId.ts'
import { TaskIntent } from '../intent.ts'
import { Address, LenientData, LenientQuorumNumbers, LenientWasmArgs } from '../scalars.ts'
import { TaskResult } from '../task.ts'
import type { Method } from './method.ts'

/** Section 4.2. */
export const CreateTaskParams = Type.Object({
  policy_client: Address,
  intent: TaskIntent,
  intent_signature: Type.Optional(LenientData),
  quorum_number: Type.Optional(LenientQuorumNumbers),
  quorum_threshold_percentage: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  wasm_args: Type.Optional(LenientWasmArgs),
  timeout: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 600 })),
  proof_cid: Type.Optional(ContentId),
  include_validate_calldata: Type.Optional(Type.Boolean()),
})
export type CreateTaskParams = Static<typeof CreateTaskParams>

export const createTask = {
  summary: 'Creates a task and returns its result when it has ended.',
  permission: 'RpcRead',
  params: CreateTaskParams,
  result: TaskResult,
} as const satisfies Method
