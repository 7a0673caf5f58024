import type { TaskIntent } from 'polgate-protocol/intent.ts'
import type { PolicyTaskData } from 'polgate-protocol/policyTaskData.ts'
import type { Address, Bytes32, Data } from 'polgate-protocol/scalars.ts'
import type { PolicyConfigView } from 'polgate-protocol/task.ts'
import type { OpeningRequest, SealedPartial } from '../threshold/opening.ts'

/** A data source on chain at the task's block, with the arguments of this task. */
export type DataSource = {
  readonly policyDataAddress: Address
  readonly wasmCid: string
  /** Hex of UTF-8 JSON; `0x` means `{}` (decision R6). */
  readonly wasmArgs: Data
  /** Sealed secrets for (client, source), null if there are none (section 5.3). */
  readonly envelope: string | null
}

export type DataRequest = {
  readonly policyClient: Address
  readonly sources: readonly DataSource[]
  /** `simulation`: the envelopes are of the request, not stored (section 4.6); absent: they are stored. */
  readonly envelopeUse?: 'simulation' | undefined
  /** For a task, the block of these sources; absent in simulations of an oracle. */
  readonly referenceBlock?: number | undefined
  /** For a task, the id of its API key; absent in requests of gateways that do not send it. */
  readonly requester?: string | undefined
}

export type DataAnswer = {
  /** JSON text of each source's output, in the order of the request. */
  readonly outputs: readonly string[]
  readonly timings: Timings
}

/** Rego source by the policy's content id, or inline from a caller (section 4.8). */
export type PolicySource = { readonly cid: string } | { readonly source: string }

export type EvaluationRequest = {
  readonly policy: PolicySource
  /** `package.rule`, with or without `data.` (decision R9). */
  readonly entrypoint: string
  readonly intent: TaskIntent
  readonly intentSignature: Data | null
  /**
   * EIP-712 digest of the intent; null if the client has no readable signing domain (decision R1).
   */
  readonly intentDigest: Bytes32 | null
  /** JSON text, which preserves every digit of numbers. */
  readonly params: string
  /** Content id of the JSON Schema of the parameters, empty for none (decision R8). */
  readonly paramsSchemaCid: string
  /** JSON text of each oracle's output, merged in order (decision R5). */
  readonly data: readonly string[]
  /** Value of `time.now_ns`, unix milliseconds: the same for all operators of a task. */
  readonly now: number
}

export type EvaluationAnswer = {
  /** JSON text of the entrypoint's value. */
  readonly result: string
  /** The `deny` strings of the entrypoint's package, sorted (decision T16). */
  readonly reasons: readonly string[]
  /** The evaluated source. */
  readonly policy: string
  /** JSON text of `input` and of `data.wasm` in the evaluation. */
  readonly input: string
  readonly wasm: string
  readonly timings: Timings
}

/** A task response without the result, which the operator computes itself. */
export type ResponseDraft = {
  readonly taskId: Bytes32
  readonly policyClient: Address
  readonly policyId: Bytes32
  readonly policyAddress: Address
  readonly intentSignature: Data
  readonly policyTaskData: PolicyTaskData
  readonly policyConfig: PolicyConfigView
}

/** A task whose private data an operator is to open (section 4.10). */
export type OpeningTask = {
  readonly taskId: Bytes32
  readonly policyClient: Address
  readonly intent: TaskIntent
  readonly intentSignature: Data | null
  readonly referenceBlock: number
  readonly nonce: number
  /** Of registered data, in any order: the operator finds them by their hash on chain. */
  readonly envelopes: readonly string[]
  /** Ephemeral envelopes of the caller, by their name in `data.privacy`. */
  readonly privacy: Readonly<Record<string, string>>
}

export type OpeningAnswer = {
  /**
   * For all members, to be relayed unchanged; empty if there is nothing to open, and without
   * threshold. Operators of one process may give the same ones.
   */
  readonly requests: readonly OpeningRequest[]
}

export type SignRequest = {
  readonly evaluation: EvaluationRequest
  readonly draft: ResponseDraft
  /** The block at which the gateway read the client (decision T9); part of the task id. */
  readonly referenceBlock: number
  /**
   * Decision T2. Part of the task id, with chain, client, intent and reference block (decision T3).
   */
  readonly nonce: number
  /** The members' answers to each request of the operator's `OpeningAnswer`. */
  readonly partials?: readonly (readonly SealedPartial[])[] | undefined
  /** As in the request for the data. */
  readonly requester?: string | undefined
}

export type SignAnswer = {
  /** Decision T11. */
  readonly evaluationResult: Data
  /** G1 point over the digest (decisions C1 to C3). */
  readonly signature: { readonly X: Data; readonly Y: Data }
  readonly reasons: readonly string[]
  readonly timings: Timings
  /** Members whose partial decryptions were invalid. */
  readonly wrongPartials?: readonly Address[] | undefined
}

/** Sealed secrets before they are stored (section 4.5). */
export type SecretsRequest = {
  readonly policyClient: Address
  readonly policyDataAddress: Address
  /** Content id of the JSON Schema of the secrets (section 2.7). */
  readonly schemaCid: string
  /** Unmodified, as sent by the caller. */
  readonly envelope: string
}

export type SecretsAnswer = {
  /** JSON text of the schema that the secrets match. */
  readonly schema: string
}

/** Milliseconds by stage, measured by the operator. */
export type Timings = Readonly<Record<string, number>>

/**
 * One operator, in this process or a separate one. Calls reject with a `ServiceError` whose code
 * and `retryable` become an entry of `operator_errors` (decision T14), and end when `signal`
 * aborts.
 */
export type Operator = {
  readonly address: Address
  /** Decision C4. */
  readonly id: Bytes32
  /** First phase (decision T8): runs every oracle and returns the outputs. */
  collectData(request: DataRequest, signal: AbortSignal): Promise<DataAnswer>
  /** The Rego stage only, without a signature (sections 4.4 and 4.8). */
  evaluate(request: EvaluationRequest, signal: AbortSignal): Promise<EvaluationAnswer>
  /**
   * Between the phases, for a policy that uses private data: verifies what the task may open, and
   * starts to open it. `sign` of the same task ends it.
   */
  beginOpening(task: OpeningTask, signal: AbortSignal): Promise<OpeningAnswer>
  /** Second phase: evaluates the settled data and signs the response. */
  sign(request: SignRequest, signal: AbortSignal): Promise<SignAnswer>
  /**
   * Decrypts secrets in memory and validates them; nothing of them is stored or returned (section
   * 4.5).
   */
  checkSecrets(request: SecretsRequest, signal: AbortSignal): Promise<SecretsAnswer>
}
