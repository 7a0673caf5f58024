import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { PublicClient } from 'viem'
import type { Seen } from './events.ts'
import type { Expectation } from './expectation.ts'
import type { Explorer, Gateway } from './gateway.ts'
import type { Target } from './target.ts'

/** What a check is given to ask with. */
export type CheckContext = {
  readonly target: Target
  readonly gateway: Gateway
  /** Throws `Untestable` where the target has none. */
  readonly explorer: () => Explorer
  readonly fetch: typeof fetch
  /** Takes the turn of a request that `fetch` does not send, such as the opening of a WebSocket. */
  readonly turn: () => Promise<void>
  /** A client of the target's chain. Throws `Untestable` where none is known. */
  readonly chain: () => PublicClient
  /** A deployed policy client by the name of its fixture. */
  readonly client: (fixture: string) => StackDescription['clients'][string]
  /** 32 bits, a function of the run's seed, the check's id and the name of the use. */
  readonly seed: (use?: string) => number
  /** How often a property is run at this level of effort. */
  readonly runs: (atLevelOne: number) => number
  /** Runs the valid request from which the refused one will differ in one member. */
  readonly twin: <T>(run: () => Promise<T>) => Promise<T>
  /** Runs something once in a run for all checks that name it, such as one accepted task. */
  readonly once: <T>(name: string, make: (gateway: Gateway) => Promise<T>) => Promise<T>
  /** Names of secrets that any answer of this run has held. */
  readonly leaks: () => readonly string[]
  /** Takes what came by another way than an answer, such as a frame: it may hold a secret too. */
  readonly heard: (text: string) => void
  /**
   * Keeps something that was seen on another surface than an answer for the report: a frame, a
   * webhook, a block. `at` as `performance.now()` told it; now by default.
   */
  readonly saw: (seen: Seen, at?: number) => void
  /** A property tells of its cases, so that what was seen of the smallest that failed is kept. */
  readonly cases: { readonly begins: () => void; readonly failed: () => void }
  /** From here on no answer of the run may hold this value, plain, as hex or as base64. */
  readonly guard: (name: string, value: string) => void
  /** What an open point turned out to be on this target: reported, never judged. */
  readonly observe: (text: string) => void
  /**
   * What this target is held to on a point where the specification is silent. Undefined for every
   * target but the reference implementation.
   */
  readonly expectation: (point: string) => Expectation | undefined
}
