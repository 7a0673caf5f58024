import type { ChangeKind } from './changeKinds.ts'

/** A decision on one intent; `fails`: there is none, because an oracle or the policy failed. */
export type Decision = {
  readonly decision: 'allow' | 'deny' | 'fails'
  /** The `deny` strings of the policy, joined by `; `; empty if it gives none. */
  readonly reason: string
  readonly error: string | null
}

export type Stage = 'package' | 'oracle' | 'policy' | 'publish' | 'evaluate' | 'tests'

export type TestCounts = { readonly passed: number; readonly total: number }

/**
 * What `polgate dev` reports, in this order for each change. With `--json` each is a line; members are only ever
 * added. Times are in milliseconds.
 */
export type DevEvent =
  | {
      readonly event: 'started'
      readonly package: string
      readonly directory: string
      readonly gatewayUrl: string
      readonly explorerUrl: string | null
      /** File of the stack's description. */
      readonly stack: string
      /** Whether the stack ends with this command. */
      readonly ownStack: boolean
    }
  | {
      readonly event: 'changed'
      /** Relative to the package; all of them at the start. */
      readonly files: readonly string[]
      readonly kinds: readonly ChangeKind[]
    }
  /** A component is made from its source, which takes seconds. */
  | { readonly event: 'building'; readonly oracle: string }
  | {
      readonly event: 'applied'
      readonly client: string
      /** Whether it is another client than before, as at the start. */
      readonly newClient: boolean
      readonly policy: string
      readonly policyId: string
      readonly oracles: readonly { readonly id: string; readonly address: string }[]
      readonly transactions: number
      /** Oracles whose secrets were stored. */
      readonly secrets: readonly string[]
      /** Whether hosts answer as the mocks of the package say. */
      readonly mocks: boolean
    }
  | {
      readonly event: 'decision'
      /** Undefined intent: nothing to evaluate. */
      readonly intent: {
        readonly from: 'task' | 'case' | 'file'
        /** Task id, name of the case, or file. */
        readonly name: string
      }
      /** By the version before; null at the start. */
      readonly before: Decision | null
      readonly after: Decision
      /** Since the first event of the change. */
      readonly ms: number
    }
  | {
      readonly event: 'tests'
      readonly passed: boolean
      /** Null where the change does not affect them. */
      readonly rego: TestCounts | null
      readonly cases: TestCounts | null
      /** Failures of hosts, and how many of them were allowed. */
      readonly failingHosts: { readonly allowed: number; readonly total: number } | null
      readonly failures: readonly string[]
      /** What looks like a Rego test and is not run. */
      readonly notRun: readonly string[]
      readonly ms: number
    }
  | {
      readonly event: 'error'
      readonly stage: Stage
      readonly message: string
      readonly hint: string | null
      /** The policy that decides tasks until the file is repaired; null if none is published yet. */
      readonly inForce: string | null
    }
  | { readonly event: 'note'; readonly message: string }
  /** Nothing is left to do until the next change. */
  | { readonly event: 'waiting' }
  | { readonly event: 'stopped' }

export type Report = (event: DevEvent) => void
