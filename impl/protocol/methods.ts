import { type Static, Type } from '@sinclair/typebox'
import { TaskIntent } from './intent.ts'
import { PolicyDataInput, PolicyTaskData } from './policyTaskData.ts'
import { Address, Data, LooseData, LooseWasmArgs, Nullable } from './scalars.ts'
import { TaskResult } from './task.ts'

/** Section 5.1. A key with `admin` does not have these by itself; one with `rpc` has both. */
export type RpcPermission = 'RpcRead' | 'RpcWrite'

/** Section 4.2. */
export const CreateTaskParams = Type.Object({
  policy_client: Address,
  intent: TaskIntent,
  intent_signature: Type.Optional(LooseData),
  quorum_number: Type.Optional(LooseData),
  quorum_threshold_percentage: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  wasm_args: Type.Optional(LooseWasmArgs),
  timeout: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 600 })),
  proof_cid: Type.Optional(Type.String({ maxLength: 256 })),
  include_validate_calldata: Type.Optional(Type.Boolean()),
})
export type CreateTaskParams = Static<typeof CreateTaskParams>

/** Section 4.4; the short form is `policy_client` and `intent` (decision T15). */
export const SimulateTaskParams = Type.Object({
  intent: TaskIntent,
  policy_task_data: Type.Optional(PolicyTaskData),
  policy_client: Type.Optional(Address),
  intent_signature: Type.Optional(LooseData),
  wasm_args: Type.Optional(LooseWasmArgs),
})
export type SimulateTaskParams = Static<typeof SimulateTaskParams>

export const SimulateTaskResult = Type.Object({
  success: Type.Boolean(),
  result: Type.Optional(Nullable(Type.Object({ allow: Type.Unknown(), reason: Type.String() }))),
  error: Type.Optional(Nullable(Type.String())),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type SimulateTaskResult = Static<typeof SimulateTaskResult>

/** Section 4.8. */
export const SimulatePolicyParams = Type.Object({
  policy_client: Address,
  policy: Type.String({ description: 'Rego source' }),
  intent: TaskIntent,
  policy_data: Type.Array(PolicyDataInput, { maxItems: 64 }),
  entrypoint: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  policy_params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  intent_signature: Type.Optional(Data),
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

/** Section 4.10: the same three members for the privacy and the secrets key (decision K3). */
export const PublicKeyResult = Type.Object({
  public_key: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  key_type: Type.Literal('x25519'),
  encryption_suite: Type.String(),
})
export type PublicKeyResult = Static<typeof PublicKeyResult>

/** Methods without parameters accept absence, null, an empty object or an empty array. */
export const NoParams = Type.Object({})

export const encryptionSuite = 'HPKE-Base-X25519-HKDF-SHA256-ChaCha20Poly1305'

/**
 * The method table: names without the brand's prefix, the permission each needs (section 4), and
 * the schemas from which the validators and the self-description come.
 */
export const methods = {
  createTask: {
    summary: 'Creates a task and answers when it has ended, well or not.',
    permission: 'RpcRead',
    params: CreateTaskParams,
    result: TaskResult,
  },
  simulateTask: {
    summary: 'Evaluates the policy of a task on given data, or on data gathered now.',
    permission: 'RpcRead',
    params: SimulateTaskParams,
    result: SimulateTaskResult,
  },
  simulatePolicy: {
    summary: 'Runs a Rego source with its oracles as a task would, without deploying it.',
    permission: 'RpcRead',
    params: SimulatePolicyParams,
    result: SimulatePolicyResult,
  },
  getSecretsPublicKey: {
    summary: 'Serves the key that oracle secrets are sealed to.',
    permission: 'RpcRead',
    params: NoParams,
    result: PublicKeyResult,
  },
  getPrivacyPublicKey: {
    summary: 'Serves the key that identity and confidential data are sealed to.',
    permission: 'RpcRead',
    params: NoParams,
    result: PublicKeyResult,
  },
} as const

export type MethodName = keyof typeof methods
export type ParamsOf<M extends MethodName> = Static<(typeof methods)[M]['params']>
export type ResultOf<M extends MethodName> = Static<(typeof methods)[M]['result']>
