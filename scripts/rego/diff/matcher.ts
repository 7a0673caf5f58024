import type { Answer, PeerName } from './answers.ts'
import type { CallMade } from './callsOf.ts'
import type { Evidence } from './evidence.ts'
import type { NodeKind } from './features.ts'

/** What a difference must have to be an example of an entry: all of the given. */
export type Matcher = {
  readonly peer?: PeerName
  /** One of these functions: `f` called or as operator, `f()` called by name, `with f` replaced. */
  readonly calls?: readonly string[]
  readonly kinds?: readonly NodeKind[]
  /** Of one module. */
  readonly source?: RegExp
  /** Of the answers: JSON, `undefined`, or `code: message`. */
  readonly ours?: RegExp
  readonly theirs?: RegExp
  /** At least as many rules. */
  readonly rules?: number
  readonly alike?: (ours: Answer, theirs: Answer) => boolean
  /** A call that this engine made. */
  readonly made?: (call: CallMade) => boolean
  /** What else shows the cause. */
  readonly cause?: (evidence: Evidence) => boolean
  /**
   * It says which answer of this engine is right. Without it a difference is only taken for this one if another engine
   * answers as this engine does.
   */
  readonly exact?: true
}

/**
 * The engine at 0.9 has results of `walk` only where its output is an argument, otherwise none, or an
 * error.
 */
export const WALK_FOR_ITS_RESULT: Matcher = {
  peer: 'regorus',
  ours: /^(?!\w+_error)/,
  cause: ({ features }) => features.arities.has('walk/1'),
}

/** A value, or undefined. */
export const NO_ERROR = /^(?!\w+_error)/

/** No value but what a rule that never holds has. */
export const NOTHING = /^(?:undefined|\{(?:"\w+":(?:\[\]|\{\}),?)*\}|\[\])$/
