import type { Exchange } from '../wire/exchange.ts'
import type { Evidence, Phase } from './events.ts'

/** Kept of a check: so many of the first and of the last things seen. A property sees hundreds. */
const keptFirst = 10
const keptLast = 15

/** Characters of a body that are kept. */
const longestBody = 4_000

/** What is seen, before it is known when. */
export type Seen =
  | ({ readonly kind: 'exchange' } & Exchange)
  | { readonly kind: 'frame'; readonly from: 'gateway' | 'suite'; readonly text: string }
  | {
      readonly kind: 'webhook'
      readonly path: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
      readonly answered: number | null
    }
  | { readonly kind: 'block'; readonly number: number }

const short = (text: string): string =>
  text.length > longestBody ? text.slice(0, longestBody) : text

const cutOf = (...texts: readonly string[]): { cut?: number } => {
  const longest = Math.max(...texts.map((text) => text.length))
  return longest > longestBody ? { cut: longest } : {}
}

/** A counterexample is to be replayed: it is kept whole, or not at all. */
const longestCase = 40
const longestCaseBody = 256 * 1024

const bounded = (seen: Seen, at: number): Evidence => {
  if (seen.kind === 'exchange')
    return {
      ...seen,
      at,
      ms: Math.round(seen.ms),
      request: { ...seen.request, body: short(seen.request.body) },
      body: short(seen.body),
      ...cutOf(seen.request.body, seen.body),
    }
  if (seen.kind === 'frame') return { ...seen, at, text: short(seen.text), ...cutOf(seen.text) }
  if (seen.kind === 'webhook') return { ...seen, at, body: short(seen.body), ...cutOf(seen.body) }
  return { ...seen, at }
}

/** As it was, up to a bound that no request of a property comes near. */
const wholeOf = (seen: Seen, at: number): Evidence => {
  const texts =
    seen.kind === 'exchange'
      ? [seen.request.body, seen.body]
      : seen.kind === 'frame'
        ? [seen.text]
        : seen.kind === 'webhook'
          ? [seen.body]
          : []
  return texts.some(({ length }) => length > longestCaseBody)
    ? bounded(seen, at)
    : ({ ...seen, at } as Evidence)
}

export type EvidenceKeeper = {
  /** `at` in milliseconds since the run began. */
  readonly add: (seen: Seen, at: number, phase?: Phase) => void
  readonly kept: () => readonly Evidence[]
  /** One case of a property begins: what is seen from here on is of it. */
  readonly caseBegins: () => void
  /** The case under way failed; a later one that does is smaller. */
  readonly caseFailed: () => void
  /** What was seen of the last case that failed; undefined where none did, or it was too much. */
  readonly failedCase: () => readonly Evidence[] | undefined
  readonly dropped: () => number
}

/** Keeps the beginning and the end of what a check saw, in the order of time. */
export const createEvidence = (): EvidenceKeeper => {
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
        return
      }
      last.push(evidence)
      if (last.length > keptLast) {
        last.shift()
        dropped++
      }
    },
    kept: () => [...first, ...last].sort((a, b) => a.at - b.at),
    dropped: () => dropped,
  }
}
