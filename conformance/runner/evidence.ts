import type { Evidence, Phase, Seen } from '../core/events.ts'

/**
 * Kept per check: this many of the first and of the last observations. A property makes hundreds.
 */
const keptFirst = 10
const keptLast = 15

/** Characters kept of a body. */
export const longestBody = 4_000

const short = (text: string): string =>
  text.length > longestBody ? text.slice(0, longestBody) : text

function cutOf(...texts: readonly string[]): { cut?: number } {
  const longest = Math.max(...texts.map((text) => text.length))
  return longest > longestBody ? { cut: longest } : {}
}

/** A counterexample must be replayable: it is kept completely, or not at all. */
const longestCase = 40
const longestCaseBody = 256 * 1024

function bounded(seen: Seen, at: number): Evidence {
  if (seen.kind === 'exchange')
    return {
      ...seen,
      at,
      ms: Math.round(seen.ms),
      request: { ...seen.request, body: short(seen.request.body) },
      body: short(seen.body),
      ...cutOf(seen.request.body, seen.body),
    }
  if (seen.kind === 'unanswered')
    return {
      ...seen,
      at,
      ms: Math.round(seen.ms),
      request: { ...seen.request, body: short(seen.request.body) },
      ...cutOf(seen.request.body),
    }
  if (seen.kind === 'frame') return { ...seen, at, text: short(seen.text), ...cutOf(seen.text) }
  if (seen.kind === 'webhook') return { ...seen, at, body: short(seen.body), ...cutOf(seen.body) }
  return { ...seen, at }
}

/** Unchanged, up to a bound that no request of a property comes near. */
function wholeOf(seen: Seen, at: number): Evidence {
  const texts =
    seen.kind === 'exchange'
      ? [seen.request.body, seen.body]
      : seen.kind === 'unanswered'
        ? [seen.request.body]
        : seen.kind === 'frame'
          ? [seen.text]
          : seen.kind === 'webhook'
            ? [seen.body]
            : []
  return texts.some(({ length }) => length > longestCaseBody)
    ? bounded(seen, at)
    : ({ ...seen, at } as Evidence)
}

export type EvidenceRecorder = {
  /** `at` in milliseconds since the start of the run. Returns what is kept of it. */
  readonly add: (seen: Seen, at: number, phase?: Phase) => Evidence
  readonly kept: () => readonly Evidence[]
  /** A case of a property starts: observations from here on belong to it. */
  readonly caseBegins: () => void
  /** The current case failed; a later failing case is smaller. */
  readonly caseFailed: () => void
  /** Observations of the last failed case; undefined if none failed, or there were too many. */
  readonly failedCase: () => readonly Evidence[] | undefined
  readonly dropped: () => number
}

/** Keeps the first and last observations of a check, in order of time. */
export function createEvidence(): EvidenceRecorder {
  const first: Evidence[] = []
  const last: Evidence[] = []
  let dropped = 0
  let current: Evidence[] = []
  let failed: readonly Evidence[] | undefined
  return {
    caseBegins: () => {
      current = []
    },
    caseFailed: () => {
      failed = current.length > longestCase ? undefined : current
    },
    failedCase: () => failed,
    add: (seen, at, phase) => {
      if (current.length <= longestCase) current.push(wholeOf(seen, Math.round(at)))
      const evidence = {
        ...bounded(seen, Math.round(at)),
        ...(phase === undefined ? {} : { phase }),
      }
      if (first.length < keptFirst) {
        first.push(evidence)
        return evidence
      }
      last.push(evidence)
      if (last.length > keptLast) {
        last.shift()
        dropped++
      }
      return evidence
    },
    kept: () => [...first, ...last].sort((a, b) => a.at - b.at),
    dropped: () => dropped,
  }
}
