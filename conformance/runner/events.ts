import type { BaselineEntry } from '../baseline/baseline.ts'
import type { Level } from '../register/clause.ts'
import type { FeatureFound } from '../targets/features.ts'
import type { Identity } from '../targets/target.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { ExitCode, Verdict } from './verdict.ts'

/** Bumped when a member changes its meaning; readers refuse a version they do not know. */
export const eventLogVersion = 2

/** The auxiliary parts of a check: the valid twin of a refused request, and cleanup. */
export type Phase = 'twin' | 'cleanup'

/**
 * One thing that was seen while a check ran, on whatever surface; `at` in milliseconds since the
 * run began. Bodies are cut (`cut` says how many characters they had). `phase` is absent in the main
 * part of the check.
 */
export type Evidence = { readonly phase?: Phase } & (
  | ({ readonly kind: 'exchange'; readonly at: number; readonly cut?: number } & Exchange)
  | {
      readonly kind: 'frame'
      readonly at: number
      readonly from: 'gateway' | 'suite'
      readonly text: string
      readonly cut?: number
    }
  | {
      readonly kind: 'webhook'
      readonly at: number
      readonly path: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
      /** What the receiver answered; null where it did not. */
      readonly answered: number | null
      readonly cut?: number
    }
  | { readonly kind: 'block'; readonly at: number; readonly number: number }
)

export type PlannedCheck = {
  readonly id: string
  readonly title: string
  readonly section: string
  readonly clauses: readonly string[]
  readonly level: Level
}

export type RunStarted = {
  readonly type: 'run-started'
  readonly version: typeof eventLogVersion
  readonly at: string
  /** Hex, as `--seed` takes it. */
  readonly seed: string
  readonly effort: number
  readonly target: string
  readonly gatewayUrl: string
  readonly suite: string
  readonly capabilities: readonly string[]
  readonly missing: Readonly<Record<string, string>>
  /** What of the features that a gateway may have was declared, and what was seen. */
  readonly features?: readonly FeatureFound[]
  /** Who made what is tested, and which of it. */
  readonly identity?: Identity
  readonly checks: readonly PlannedCheck[]
  /** Failures that are known and expected. */
  readonly baseline?: readonly BaselineEntry[]
  /** How many checks the suite has, where some were chosen. */
  readonly of?: number
  /** Which part of the chosen checks this run asks, and those that the other parts do. */
  readonly shard?: {
    /** From 1. */
    readonly index: number
    readonly count: number
    readonly others: readonly PlannedCheck[]
  }
}

export type CheckFinished = PlannedCheck & {
  readonly type: 'check-finished'
  readonly verdict: Verdict
  readonly ms: number
  /** One line: what went wrong, or why it did not run. */
  readonly reason?: string
  readonly expected?: string
  readonly observed?: string
  readonly twin?: { readonly name: string; readonly accepted: boolean }
  readonly counterexample?: string
  /** The last exchange before the verdict, cleanup excluded, as a shell line; keys stand as `$SVC_KEY_READ`. */
  readonly curl?: string
  /** What an open point turned out to be on this target. */
  readonly observations?: readonly string[]
  readonly exchanges: number
  readonly refusals: number
  /** When it began, milliseconds since the run did. */
  readonly at: number
  /** The first and the last things seen, kept for passed checks too. */
  readonly evidence: readonly Evidence[]
  /** What was seen of the smallest case of a property that failed: its fixture is made of it. */
  readonly failedCase?: readonly Evidence[]
  /** How many were seen and not kept. */
  readonly evidenceDropped: number
}

export type RunFinished = {
  readonly type: 'run-finished'
  readonly at: string
  readonly ms: number
  readonly interrupted: boolean
  /** Errors outside any check: the suite itself is broken, whatever checks said. */
  readonly broken?: readonly string[]
  readonly code: ExitCode
  readonly reason?: string
}

/** One line of the log; every report is a function of a list of these. */
export type RunEvent = RunStarted | CheckFinished | RunFinished
