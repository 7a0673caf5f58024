/** What a policy is evaluated with, as an operator does it; JSON is text, which keeps every digit. */
export type PlaygroundRequest = {
  readonly source: string
  /** `package.rule` */
  readonly entrypoint: string
  readonly input: string
  readonly params: string
  /** JSON Schema; null for none. */
  readonly paramsSchema: string | null
  /** Outputs of the oracles, merged in order into `data.wasm`. */
  readonly data: readonly string[]
  /** Unix milliseconds. */
  readonly now: number
  readonly regoNamespace: string
}

/** Which editor an error belongs to. */
export type Editor = 'source' | 'input' | 'params' | 'data'

/** An error; rows and columns begin at 1. */
export type Diagnostic = {
  readonly editor: Editor
  readonly message: string
  readonly row?: number
  readonly col?: number
  readonly endRow?: number
  readonly endCol?: number
}

export type ProfiledLine = {
  readonly row: number
  readonly text: string
  /** Milliseconds. */
  readonly time: number
  readonly evaluations: number
  readonly passes: number
}

/** An expression that did not hold, with the last values of its parts as JSON text. */
export type TracedFailure = {
  readonly text: string
  readonly row: number
  readonly count: number
  readonly values: readonly { readonly text: string; readonly value: string }[]
  /** Rules that it depends on. */
  readonly because: readonly TracedRule[]
}

export type TracedRule = {
  /** `data.<package>.<rule>` */
  readonly name: string
  /** Whether its value is that of its `default`. */
  readonly isDefault: boolean
  readonly definitions: readonly {
    readonly text: string
    readonly row: number
    readonly held: boolean
    /** Where its body ended, the furthest first. */
    readonly failures: readonly TracedFailure[]
  }[]
}

export type PlaygroundAnswer = {
  /** Only a decision of `allow` allows; an evaluation that failed has none. */
  readonly decision:
    | {
        readonly outcome: 'allow' | 'deny'
        /** JSON text of the value of the entrypoint. */
        readonly value: string
        /** The `deny` texts, sorted. */
        readonly reasons: readonly string[]
      }
    | undefined
  readonly diagnostics: readonly Diagnostic[]
  /** What happened on each row; absent where the policy does not compile. */
  readonly coverage?: {
    /** Of the package, as far as they were evaluated. */
    readonly definitions: readonly {
      readonly row: number
      readonly held: boolean
      /** Where its body ended. */
      readonly failures: readonly { readonly row: number }[]
    }[]
    /** Rows that were reached, and those that were not. */
    readonly covered: readonly number[]
    readonly notCovered: readonly number[]
    readonly percent: number
  }
  readonly profile: readonly ProfiledLine[]
  readonly trace: readonly TracedRule[]
  /** Milliseconds of the evaluation, without tracing. */
  readonly milliseconds: number
}

/** The boolean true and the string `true` allow; every other value denies (decision T11). */
export const outcomeOf = (json: string): 'allow' | 'deny' =>
  json === 'true' || json === '"true"' ? 'allow' : 'deny'

/** A request to the worker, with its number, which the answer has too. */
export type WorkerRequest = { readonly id: number; readonly request: PlaygroundRequest }
export type WorkerAnswer = {
  readonly id: number
  readonly answer?: PlaygroundAnswer
  readonly failure?: string
}
