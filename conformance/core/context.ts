import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { PublicClient } from 'viem'
import type { Canary } from './canary.ts'
import type { MatrixCases, Received, Seen } from './events.ts'
import type { Expectation } from './expectation.ts'
import type { Explorer, Gateway } from './gateway.ts'
import type { Target } from './target.ts'

/** The tools of a check. */
export type CheckContext = {
  readonly target: Target
  readonly gateway: Gateway
  /** Throws `Untestable` if the target has none. */
  readonly explorer: () => Explorer
  readonly fetch: typeof fetch
  /**
   * Waits for the rate limit for a request not sent through `fetch`, such as the opening of a
   * WebSocket.
   */
  readonly turn: () => Promise<void>
  /** A client of the target's chain. Throws `Untestable` if none is known. */
  readonly chain: () => PublicClient
  /** A deployed policy client by the name of its fixture. */
  readonly client: (fixture: string) => StackDescription['clients'][string]
  /** 32 bits, derived from the run's seed, the check's id and the name of the use. */
  readonly seed: (use?: string) => number
  /** Number of runs of a property at this level of effort; fewer for a target with a high latency. */
  readonly runs: (atLevelOne: number) => number
  /** The shortest time of an exchange of this run, milliseconds: the latency of the target. */
  readonly latencyMs: () => number
  /**
   * How long to wait for what takes at most `usualMs` milliseconds on a target that answers at once and
   * whose chain mines on demand: longer by its latency and some of its blocks, 3 by default.
   */
  readonly patienceMs: (usualMs: number, blocks?: number) => number
  /** Why a timeout proves nothing now; undefined where the machine is not overloaded. */
  readonly overloaded: () => string | undefined
  /** Runs the valid request from which the refused one differs in one member. */
  readonly twin: <T>(run: () => Promise<T>) => Promise<T>
  /**
   * Runs requests that only undo what the check did, or look into its failure: reports do not show them
   * as its subject. Never rejects: an error is the outcome of the check where it has no other failure,
   * and an observation where it has. Resolves with undefined then.
   */
  readonly cleanup: <T>(run: () => Promise<T>) => Promise<T | undefined>
  /** Runs something once per run for all checks that name it, such as one accepted task. */
  readonly once: <T>(name: string, make: (gateway: Gateway) => Promise<T>) => Promise<T>
  /**
   * Secrets found in what this check received, each with the answer and the JSON path or header:
   * `UPLOADED_SECRET in the answer to svc_createTask, $.error.message`.
   */
  readonly leaks: () => readonly string[]
  /** The same of all checks of the run. */
  readonly leaksOfRun: () => readonly string[]
  /** Scans what is not a response, such as a frame, for secrets too; `what` is a noun phrase. */
  readonly heard: (what: string, received: Received) => void
  /**
   * Records what was seen on a surface other than a response for the report: a frame, a webhook, a
   * block. `at` is a `performance.now()` time; now by default.
   */
  readonly saw: (seen: Seen, at?: number) => void
  /** Whether every case of the parameter matrix is tried, instead of a pairwise sample. */
  readonly fullMatrix: boolean
  /** Records how many of the cases of the parameter matrix the check tried. */
  readonly covered: (cases: MatrixCases) => void
  /** Called by a property for its cases, so that evidence of the smallest failing one is kept. */
  readonly cases: { readonly begins: () => void; readonly failed: () => void }
  /** A secret to upload: the same for the same seed, check and use. Sealing it guards it. */
  readonly canary: (use?: string) => Canary
  /**
   * From here on no response of the run may contain this value, plain, as hex or as base64: a canary, or
   * a key that others made, under a name that begins with `SVC_`.
   */
  readonly guard: (name: string, value: string) => void
  /** Reports of this check show the name instead of this value. */
  readonly hide: (name: string, value: string) => void
  /** How this target behaves on an open point: reported, never judged. */
  readonly observe: (text: string) => void
  /**
   * What this target is held to on a point where the specification is silent. Undefined for every
   * target but the reference implementation.
   */
  readonly expectation: (point: string) => Expectation | undefined
}
