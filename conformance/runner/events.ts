import type { Level } from '../register/clause.ts'
import type { ExitCode, Verdict } from './verdict.ts'

/** Bumped when a member changes its meaning; readers refuse a version they do not know. */
export const eventLogVersion = 1

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
  readonly checks: readonly PlannedCheck[]
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
  /** The last exchange before the verdict, as a shell line; keys stand as `$SVC_KEY_READ`. */
  readonly curl?: string
  /** What an open point turned out to be on this target. */
  readonly observations?: readonly string[]
  readonly exchanges: number
  readonly refusals: number
}

export type RunFinished = {
  readonly type: 'run-finished'
  readonly at: string
  readonly ms: number
  readonly interrupted: boolean
  readonly code: ExitCode
  readonly reason?: string
}

/** One line of the log; every report is a function of a list of these. */
export type RunEvent = RunStarted | CheckFinished | RunFinished
