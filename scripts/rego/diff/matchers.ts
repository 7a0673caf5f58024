import type { PeerName } from './answers.ts'
import type { NodeKind } from './features.ts'

/** What a difference must have to be an example of an entry: all of the given. */
export type Matcher = {
  readonly peer?: PeerName
  /** One of these functions: `f` called or as operator, `f()` called by name, `with f` replaced. */
  readonly calls?: readonly string[]
  readonly kinds?: readonly NodeKind[]
  readonly source?: RegExp
  /** Of the answers: JSON, `undefined`, or `code: message`. */
  readonly ours?: RegExp
  readonly theirs?: RegExp
}

/**
 * By the id of an entry of the page of differences. An entry without one is matched by its own program:
 * by what is special in it and by the sorts of its answers.
 */
export const MATCHERS: Readonly<Record<string, Matcher>> = {}
