import type { PrivateUses } from 'polgate-rego/privateUses.ts'

/** One evaluation; values are JSON text, which preserves every digit. */
export type PolicyEvaluation = {
  /** Evaluations of one owner wait for each other. Default: one owner per source. */
  readonly owner?: string | undefined
  readonly source: string
  /** `package.rule`, with or without `data.` (decision R9). */
  readonly entrypoint: string
  readonly input: string
  readonly params: string
  /** JSON Schema of the parameters, null for none (decision R8). */
  readonly paramsSchema: string | null
  /** Oracle outputs, merged in order into `data.wasm` (decision R5). */
  readonly data: readonly string[]
  /** Unix milliseconds (decision R12). */
  readonly now: number
  /**
   * UTF-8 JSON of what was opened for this evaluation, in the form that `privateDataOf` of the engine reads.
   * The evaluator copies it, and wipes its copies; the caller wipes its own once the evaluation has settled.
   * With it, errors name no values.
   */
  readonly privateData?: Uint8Array | undefined
}

export type PolicyOutcome = {
  readonly result: string
  /** The `deny` strings of the entrypoint's package, sorted (decision T16). */
  readonly reasons: readonly string[]
  /** `data.wasm` in the evaluation. */
  readonly wasm: string
}

/** Evaluates Rego with the profile `service` (decision R11). */
export type PolicyEvaluator = {
  /** @throws ServiceError -32615 `Rego evaluation failed: {details}` */
  evaluate(evaluation: PolicyEvaluation, signal: AbortSignal): Promise<PolicyOutcome>
  /**
   * What must be opened before a policy is evaluated. Untrusted sources are compiled in a thread, as they are for
   * evaluations; the answer is kept.
   *
   * @throws ServiceError -32615 `Rego evaluation failed: {details}`
   */
  privateUses(
    policy: Pick<PolicyEvaluation, 'owner' | 'source'>,
    signal: AbortSignal,
  ): Promise<PrivateUses>
  close(): Promise<void>
}
