import { type Static, Type } from '@sinclair/typebox'
import { TaskIntent } from '../intent.ts'
import { PolicyDataInput } from '../policyTaskData.ts'
import { Address, LenientData, Nullable } from '../scalars.ts'
import type { Method } from './method.ts'

/** Section 4.8. */
export const SimulatePolicyParams = Type.Object({
  policy_client: Address,
  policy: Type.String({ description: 'Rego source' }),
  intent: TaskIntent,
  policy_data: Type.Array(PolicyDataInput, { maxItems: 64 }),
  entrypoint: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  policy_params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  intent_signature: Type.Optional(LenientData),
})
export type SimulatePolicyParams = Static<typeof SimulatePolicyParams>

/** Section 2.6. */
export const EvaluationResult = Type.Object({
  policy: Type.String(),
  parsed_intent: Type.Record(Type.String(), Type.Unknown()),
  policy_params_and_data: Type.Object({ params: Type.Unknown(), wasm: Type.Unknown() }),
  entrypoint: Type.String(),
  result: Type.Unknown(),
  expire_after: Type.Integer({ minimum: 0 }),
})
export type EvaluationResult = Static<typeof EvaluationResult>

export const MissingSecrets = Type.Object({
  missing_secrets: Type.Array(
    Type.Object({ policy_data_address: Address, has_secrets_schema: Type.Boolean() }),
  ),
  suggested_actions: Type.Array(Type.String()),
})
export type MissingSecrets = Static<typeof MissingSecrets>

export const SimulatePolicyResult = Type.Object({
  success: Type.Boolean(),
  evaluation_result: Type.Optional(Nullable(EvaluationResult)),
  error: Type.Optional(Nullable(Type.String())),
  error_details: Type.Optional(Nullable(MissingSecrets)),
})
export type SimulatePolicyResult = Static<typeof SimulatePolicyResult>

export const simulatePolicy = {
  summary: 'Evaluates a Rego policy and its oracles like a task, without deploying it.',
  permission: 'RpcRead',
  params: SimulatePolicyParams,
  result: SimulatePolicyResult,
} as const satisfies Method
