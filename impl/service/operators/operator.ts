import type { TaskIntent } from 'polgate-protocol/intent.ts'
import type { PolicyTaskData } from 'polgate-protocol/policyTaskData.ts'
import type { Address, Bytes32, Data } from 'polgate-protocol/scalars.ts'
import type { PolicyConfigView } from 'polgate-protocol/task.ts'

/** A data source as the chain describes it at the task's block, with the arguments of this task. */
export type DataSource = {
  readonly policyDataAddress: Address
  readonly wasmCid: string
  /** Hex of UTF-8 JSON; `0x` means `{}` (decision R6). */
  readonly wasmArgs: Data
  /** Sealed secrets of the pair (client, source), null where there are none (section 5.3). */
  readonly envelope: string | null
}

export type DataRequest = {
  readonly policyClient: Address
  readonly sources: readonly DataSource[]
  /** Of a task: the block whose sources these are. Absent where an oracle is only tried out. */
  readonly referenceBlock?: number | undefined
}

export type DataAnswer = {
  /** JSON text of each source's output, in the order of the request. */
  readonly outputs: readonly string[]
  readonly timings: Timings
}

/** Rego source as the policy's content id names it, or as a caller gave it (section 4.8). */
export type PolicySource = { readonly cid: string } | { readonly source: string }

export type EvaluationRequest = {
  readonly policy: PolicySource
  /** `package.rule`, with or without `data.` (decision R9). */
  readonly entrypoint: string
  readonly intent: TaskIntent
  readonly intentSignature: Data | null
  /** What the intent's signature is of; null where no signing domain can be read (decision R1). */
  readonly intentDigest: Bytes32 | null
  /** JSON text, so that no digit of a number is lost on the way. */
  readonly params: string
  /** JSON Schema of the parameters by content id, empty for none (decision R8). */
  readonly paramsSchemaCid: string
  /** JSON text of each oracle's output, merged in order (decision R5). */
  readonly data: readonly string[]
  /** What `time.now_ns` shows, unix milliseconds: one moment for all operators of a task. */
  readonly now: number
}

export type EvaluationAnswer = {
  /** JSON text of the entrypoint's value. */
  readonly result: string
  /** The `deny` strings of the entrypoint's package, sorted (decision T16). */
  readonly reasons: readonly string[]
  /** The evaluated source. */
  readonly policy: string
  /** JSON text of `input` and of `data.wasm`, as the policy saw them. */
  readonly input: string
  readonly wasm: string
  readonly timings: Timings
}

/** Everything of a task response but the result, which the operator finds out itself. */
export type ResponseDraft = {
  readonly taskId: Bytes32
  readonly policyClient: Address
  readonly policyId: Bytes32
  readonly policyAddress: Address
  readonly intentSignature: Data
  readonly policyTaskData: PolicyTaskData
  readonly policyConfig: PolicyConfigView
}

export type SignRequest = {
  readonly evaluation: EvaluationRequest
  readonly draft: ResponseDraft
  /** The block that the gateway read the client at (decision T9); it is part of the task id. */
  readonly referenceBlock: number
  /** Decision T2: with chain, client, intent and reference block it makes the task id (decision T3). */
  readonly nonce: number
}

export type SignAnswer = {
  /** Decision T11. */
  readonly evaluationResult: Data
  /** G1 point over the digest (decisions C1 to C3). */
  readonly signature: { readonly X: Data; readonly Y: Data }
  readonly reasons: readonly string[]
  readonly timings: Timings
}

/** Sealed secrets before they are stored (section 4.5). */
export type SecretsRequest = {
  readonly policyClient: Address
  readonly policyDataAddress: Address
  /** JSON Schema of the secrets by content id (section 2.7). */
  readonly schemaCid: string
  /** As the caller sent it. */
  readonly envelope: string
}

export type SecretsAnswer = {
  /** JSON text of the schema that the secrets fit. */
  readonly schema: string
}

/** Milliseconds by stage, as the operator measured them. */
export type Timings = Readonly<Record<string, number>>

/**
 * One operator, in this process or in its own. Every call rejects with a `ServiceError` whose code
 * and `retryable` become an entry of `operator_errors` (decision T14), and ends when `signal` aborts.
 */
export type Operator = {
  readonly address: Address
  /** Decision C4. */
  readonly id: Bytes32
  /** First phase (decision T8): runs every oracle and answers with what it gave. */
  collectData(request: DataRequest, signal: AbortSignal): Promise<DataAnswer>
  /** The Rego stage alone, unsigned (sections 4.4 and 4.8). */
  evaluate(request: EvaluationRequest, signal: AbortSignal): Promise<EvaluationAnswer>
  /** Second phase: evaluates the settled data and signs the response. */
  sign(request: SignRequest, signal: AbortSignal): Promise<SignAnswer>
  /** Opens secrets in memory and validates them; nothing of them is kept or told (section 4.5). */
  checkSecrets(request: SecretsRequest, signal: AbortSignal): Promise<SecretsAnswer>
}
