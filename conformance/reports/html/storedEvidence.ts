import type { CheckFinished, Evidence } from '../../core/events.ts'
import { evidenceCount, evidenceJson } from '../../core/lazyEvidence.ts'
import { elementContent, type Html } from './escape.ts'

/** Maximum characters (bytes, where they are the same) of evidence of passed checks on a page; above it less of it is kept. */
const budget = 11_000_000

/** How much evidence of one check is kept. */
type Kept = {
  /** Characters of a body. */
  readonly body: number
  /** Exchanges, frames and so on, from the first. */
  readonly items: number
}
const steps: readonly (Kept | 'everything')[] = [
  'everything',
  { body: 1_200, items: 25 },
  { body: 400, items: 12 },
  { body: 120, items: 6 },
  { body: 60, items: 2 },
  { body: 0, items: 0 },
]

/** Evidence as the page contains it: JSON, escaped, which its script shows as exchanges. */
type Stored = {
  readonly html: Html
  /** Observations, from the first. */
  readonly items: number
}

export type StoredEvidence = ReadonlyMap<CheckFinished, Stored>

const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text

function withShortTexts(seen: Evidence, longest: number): Evidence {
  const short = (text: string) => shortened(text, longest)
  switch (seen.kind) {
    case 'exchange':
      return {
        ...seen,
        request: { ...seen.request, body: short(seen.request.body) },
        body: short(seen.body),
      }
    case 'unanswered':
      return { ...seen, request: { ...seen.request, body: short(seen.request.body) } }
    case 'frame':
      return { ...seen, text: short(seen.text) }
    case 'webhook':
      return { ...seen, body: short(seen.body) }
    default:
      return seen
  }
}

function storedOf(result: CheckFinished, kept: Kept | 'everything'): Stored {
  const count = evidenceCount(result)
  if (kept === 'everything') return { html: elementContent(evidenceJson(result)), items: count }
  const some = result.evidence.slice(0, kept.items).map((seen) => withShortTexts(seen, kept.body))
  return { html: elementContent(JSON.stringify(some)), items: some.length }
}

/** The evidence of these results, as much of it as fits a page. */
export function storedEvidence(results: readonly CheckFinished[]): StoredEvidence {
  for (const kept of steps) {
    const all = new Map<CheckFinished, Stored>()
    let total = 0
    for (const result of results) {
      const stored = storedOf(result, kept)
      total += stored.html.length
      if (total > budget) break
      all.set(result, stored)
    }
    if (total <= budget) return all
  }
  return new Map()
}
