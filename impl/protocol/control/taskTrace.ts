import { Type } from '@sinclair/typebox'
import type { TaskUpdate } from '../taskUpdate.ts'

/** Answers of `GET /tasks/{id}/trace` and `POST /tasks/{id}/case` of the control API. */

export const taskSpanKinds = [
  'admission',
  'task',
  'stage',
  'chain',
  'store',
  'operator',
  'component',
  'oracle',
  'http',
  'rego',
  'post',
] as const

/** Part of a text that may be long; without a text it is not shown, and `note` says why. */
export type ShownText = {
  readonly text: string | null
  /** Bytes of the whole. */
  readonly size: number
  readonly note?: string
}

type Headers = readonly (readonly [name: string, value: string])[]

/**
 * An HTTP request of an oracle and its response, without secrets: `${secret:NAME}` stands for a stored one,
 * and what looks like a credential is not shown.
 */
export type ShownExchange = {
  readonly method: string
  readonly url: string
  readonly requestHeaders: Headers
  readonly requestBody: ShownText
  /** Null if there was none; the error of the span says why. */
  readonly response: {
    readonly status: number
    readonly headers: Headers
    readonly body: ShownText
  } | null
}

/** A part of a task's path. Times are milliseconds since the start of the trace. */
export type TaskSpan = {
  readonly id: number
  /** Null at the top. */
  readonly parent: number | null
  readonly kind: (typeof taskSpanKinds)[number]
  readonly name: string
  /** Address of the operator whose work it is. */
  readonly operator?: string
  readonly start: number
  /** Null while it runs. */
  readonly duration: number | null
  readonly error?: string
  /** By name, such as the content id of a component. */
  readonly facts?: Readonly<Record<string, string | number>>
  readonly exchange?: ShownExchange
}

/** An expression that did not hold, with the values of its parts as JSON text. */
export type ShownFailure = {
  readonly text: string
  readonly row: number
  /** How often it failed. */
  readonly count: number
  readonly values: readonly { readonly text: string; readonly value: string | null }[]
}

export type ShownRule = {
  /** `data.<package>.<rule>` */
  readonly name: string
  readonly isDefault: boolean
  readonly definitions: readonly {
    readonly text: string
    readonly row: number
    readonly held: boolean
    /** Where its body ended, the furthest first. */
    readonly failures: readonly ShownFailure[]
  }[]
}

/** Why a policy decided as it did: a second evaluation of the same inputs, followed step by step. */
export type ShownExplanation = {
  /** Those of the package that were evaluated; the entrypoint, `deny` and what they depend on first. */
  readonly rules: readonly ShownRule[]
  /** Rows that were reached, and rows that were not; rows start at 1. */
  readonly covered: readonly number[]
  readonly notCovered: readonly number[]
  /** Rows that decided: definitions that held, and expressions that did not. */
  readonly deciding: readonly number[]
}

/** One evaluation of the policy; operators with the same inputs share it. */
export type ShownEvaluation = {
  readonly operators: readonly string[]
  readonly source: string
  readonly entrypoint: string
  /** JSON texts. */
  readonly input: string
  readonly params: string
  readonly wasm: string
  /** ISO 8601: the time in the policy. */
  readonly time: string
  /** JSON text of the entrypoint's value; null if the evaluation failed. */
  readonly result: string | null
  readonly reasons: readonly string[]
  readonly error: string | null
  /** Null where the evaluation cannot be followed; `note` says why. */
  readonly explanation: ShownExplanation | null
  readonly note?: string
}

export const taskChainEvents = ['created', 'responded', 'spent', 'challenged'] as const

/** An event of the task on chain. */
export type TaskChainEvent = {
  readonly kind: (typeof taskChainEvents)[number]
  readonly block: number
  readonly transaction: string
  /** ISO 8601: of the block. */
  readonly at: string | null
  /** What else the event says, such as who challenged. */
  readonly facts: Readonly<Record<string, string>>
}

export type TracedOperatorRecord = {
  readonly address: string
  /** JSON texts, in the order of the oracles. */
  readonly outputs?: readonly string[]
  readonly reasons?: readonly string[]
  readonly error?: string
}

export type TaskTraceAnswer = {
  readonly taskId: string
  /** `createTask` or `sendTask`; null for a task of an earlier process. */
  readonly method: string | null
  /** The parameters of the call. */
  readonly request: unknown
  /** ISO 8601: zero of the spans. */
  readonly startedAt: string
  readonly ended: boolean
  /** As updates have it, whichever key created the task; null before it is stored. */
  readonly state: Pick<TaskUpdate['data'], 'status' | 'operator_responses' | 'result'> | null
  readonly spans: readonly TaskSpan[]
  readonly operators: readonly TracedOperatorRecord[]
  /** At the task's block, a stake for each of its quorums; null where the block was not read here. */
  readonly stakes:
    | readonly { readonly address: string; readonly stakes: readonly string[] }[]
    | null
  /** JSON texts of the data that was evaluated, in the order of the oracles; null before it is settled. */
  readonly settled: readonly string[] | null
  readonly evaluations: readonly ShownEvaluation[]
  readonly chain: readonly TaskChainEvent[]
  /** What is not known, and why, in sentences. */
  readonly notes: readonly string[]
}

/** Body of `POST /tasks/{id}/case`. */
export const CaseRequest = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  /** Ids of the package's oracles, in the order of the policy's data. */
  oracles: Type.Optional(
    Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' }), { maxItems: 32 }),
  ),
})

/** A case of a policy package made from a task. */
export type CaseAnswer = {
  readonly taskId: string
  /** Suggested name of the file. */
  readonly file: string
  /** `cases.yaml` with one case. */
  readonly yaml: string
  /** What is to be checked or filled in by hand, in sentences. */
  readonly notes: readonly string[]
}
