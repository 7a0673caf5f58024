import type { Level } from '../register/clause.ts'
import type { Profile } from '../register/profiles.ts'
import type { Exchange } from './exchange.ts'
import type { Identity } from './target.ts'
import type { ExitCode, Verdict } from './verdict.ts'

/** Incremented when the meaning of a member changes; readers reject an unknown version. */
export const eventLogVersion = 2

/** The auxiliary parts of a check: the valid twin of a refused request, and cleanup. */
export type Phase = 'twin' | 'cleanup'

/** A request without an answer that can be read. */
export type UnansweredRequest = {
  readonly kind: 'unanswered'
  readonly request: Exchange['request']
  readonly why: string
  /** Whether the request may have reached the other side. */
  readonly accepted: boolean
  readonly ms: number
}

/**
 * One observation during a check, on any surface; `at` in milliseconds since the start of the run.
 * Bodies are truncated (`cut` is their original length). `phase` is absent in the
 * main part of the check.
 */
export type Evidence = {
  readonly phase?: Phase
  /** The request that the verdict is about. */
  readonly subject?: true
} & (
  | ({ readonly kind: 'exchange'; readonly at: number; readonly cut?: number } & Exchange)
  | ({ readonly at: number; readonly cut?: number } & UnansweredRequest)
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
      /** The receiver's response; null if it sent none. */
      readonly answered: number | null
      readonly cut?: number
    }
  | { readonly kind: 'block'; readonly at: number; readonly number: number }
)

/** An observation before its time is added. */
export type Seen =
  | ({ readonly kind: 'exchange' } & Exchange)
  | UnansweredRequest
  | { readonly kind: 'frame'; readonly from: 'gateway' | 'suite'; readonly text: string }
  | {
      readonly kind: 'webhook'
      readonly path: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
      readonly answered: number | null
    }
  | { readonly kind: 'block'; readonly number: number }

/** What was received on a surface. */
export type Received = {
  readonly body: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A known failure with an owner and an expiry date. */
export type BaselineEntry = {
  readonly check: string
  readonly reason: string
  readonly owner: string
  /** The last day on which it applies. */
  readonly expires: string
  readonly issue?: string
}

/** Where a check that is not of the suite comes from: the gateway's own. It proves no clause. */
export type OwnSource = {
  /** Relative to the working directory of the run, with forward slashes. */
  readonly file: string
  /** SHA-256 of the file, hex. */
  readonly sha256: string
  /** What it tests, in the words of its author; never a clause of the specification. */
  readonly clause?: string
}

export type PlannedCheck = {
  readonly id: string
  readonly title: string
  readonly section: string
  readonly clauses: readonly string[]
  readonly level: Level
  /** Absent for checks of the suite. */
  readonly own?: OwnSource
}

export type RunStarted = {
  readonly type: 'run-started'
  readonly version: typeof eventLogVersion
  readonly at: string
  /** Hex, as `--seed` takes it. */
  readonly seed: string
  readonly effort: number
  /** Every case of the parameter matrix was tried, instead of a sample. */
  readonly fullMatrix?: true
  readonly target: string
  /** Of the target, relative to the repository, with forward slashes; absent outside of it. */
  readonly targetFile?: string
  readonly gatewayUrl: string
  readonly suite: string
  readonly capabilities: readonly string[]
  readonly missing: Readonly<Record<string, string>>
  /** Time between blocks of the target's chain, which extends time limits; 0: mined on demand. */
  readonly blockMs?: number
  /** The profiles that the target claims; absent: all. */
  readonly profiles?: readonly Profile[]
  /** Number of checks that are not planned because they belong to other profiles. */
  readonly notClaimed?: number
  /** Capabilities that the target file waives, each with the reason. */
  readonly waived?: Readonly<Record<string, string>>
  /** Vendor and version of the target. */
  readonly identity?: Identity
  readonly checks: readonly PlannedCheck[]
  /** Failures that are known and expected. */
  readonly baseline?: readonly BaselineEntry[]
  /** Number of checks of the claimed profiles, if some of them were selected. */
  readonly of?: number
  /** Which shard of the selected checks this run executes, and the checks of the other shards. */
  readonly shard?: {
    /** From 1. */
    readonly index: number
    readonly count: number
    readonly others: readonly PlannedCheck[]
  }
}

/** The gateway gave no answer to anything any more. */
export type OutageNotice = {
  /** When this check noticed it, milliseconds since the start of the run. */
  readonly at: number
  readonly why: string
}

/** The limit that left a check out. */
export type LimitCut = 'budget' | 'read-only'

/** How many of the cases of a matrix were tried. */
export type MatrixCases = { readonly tried: number; readonly of: number }

export type CheckFinished = PlannedCheck & {
  readonly type: 'check-finished'
  readonly verdict: Verdict
  readonly ms: number
  /** One line: what is wrong, or why it did not run. */
  readonly reason?: string
  /** The check has no result because the gateway stopped answering: its verdict is `untestable`. */
  readonly outage?: OutageNotice
  /** The capabilities that it needs and the target lacks or waives: it did not run. */
  readonly lacks?: readonly string[]
  /** It did not run because of a limit of the run. */
  readonly cut?: LimitCut
  /** It came too late to judge, on an overloaded machine: its verdict is `untestable`. */
  readonly overload?: string
  /** What a failure is about: a method, a path, a topic or a webhook. */
  readonly call?: string
  /** What was sent to it, shortened. */
  readonly sent?: string
  readonly expected?: string
  readonly observed?: string
  readonly twin?: { readonly name: string; readonly accepted: boolean }
  readonly counterexample?: string
  /** The request that failed, as a shell line; keys appear as `$SVC_KEY_READ`. */
  readonly curl?: string
  /** How this target behaves on an open point. */
  readonly observations?: readonly string[]
  /** Cases of the parameter matrix. */
  readonly matrix?: MatrixCases
  readonly exchanges: number
  readonly refusals: number
  /** Start, milliseconds since the start of the run. */
  readonly at: number
  /** The first and the last observations, kept for passed checks too. */
  readonly evidence: readonly Evidence[]
  /** Evidence of the smallest failing case of a property: its fixture is made of it. */
  readonly failedCase?: readonly Evidence[]
  /** Number of observations that were dropped. */
  readonly evidenceDropped: number
}

/** Averages over a minute of the processes that ran or waited for a processor. */
export type MachineLoad = {
  readonly begin: number
  readonly end: number
  readonly processors: number
}

export type RunFinished = {
  readonly type: 'run-finished'
  readonly at: string
  readonly ms: number
  readonly interrupted: boolean
  /** Errors outside any check: the suite itself is broken, whatever the verdicts. */
  readonly broken?: readonly string[]
  /** The load of the machine that ran the checks. */
  readonly load?: MachineLoad
  /** The run was stopped after this many failures of required checks, as `--bail` asked. */
  readonly bail?: number
  readonly code: ExitCode
  readonly reason?: string
}

/** One line of the log; every report is a function of a list of these. */
export type RunEvent = RunStarted | CheckFinished | RunFinished
