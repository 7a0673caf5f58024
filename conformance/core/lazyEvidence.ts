import type { CheckFinished, Evidence } from './events.ts'
import type { LinePieces } from './logLine.ts'
import { surfacesOf } from './surfaces.ts'

/**
 * Results whose evidence is still the bytes of the log. A run has megabytes of it, which commands that
 * only pass it on neither keep parsed nor as text: both are several times as much work.
 */
const unread = new WeakMap<CheckFinished, UnreadEvidence>()

type UnreadEvidence = {
  /** The result without its evidence. */
  readonly bare: CheckFinished
  /** What its line has before and after the evidence. */
  readonly around: Around
  /** The evidence as JSON in UTF-8. */
  readonly json: Buffer
  readonly count: number
  readonly surfaces: number
  /** Once it was read. */
  parsed?: readonly Evidence[]
}

type Around = { readonly head: string; readonly tail: string }

/** As `JSON.stringify` writes an empty list, and the members around a list. In a string a quote follows a backslash. */
const empty = ',"evidence":[]'
const begin = ',"evidence":'
const next = ',"evidenceDropped":'

function aroundOf(bare: CheckFinished): Around {
  const text = JSON.stringify(bare)
  const at = text.indexOf(empty)
  return { head: text.slice(0, at) + begin, tail: text.slice(at + empty.length) }
}

/**
 * A result that keeps its evidence as the bytes of its line, and parses it when it is read. The result
 * itself where the line is not as the suite writes it.
 *
 * @param result valid, with all of its evidence
 * @param text its line
 * @param line the same as UTF-8; a part of it is kept
 */
export function withEvidenceOf(result: CheckFinished, text: string, line: Buffer): CheckFinished {
  const bare = { ...result, evidence: [] }
  const around = aroundOf(bare)
  const { head, tail } = around
  const isUsual =
    text.startsWith(`${head}[`) &&
    tail.startsWith(next) &&
    text.endsWith(tail) &&
    // No list ends before it, as with a member that is there twice: evidence has no lists within.
    text.indexOf('],"', head.length) === text.length - tail.length - 1
  if (!isUsual) return result
  return lazy({
    bare,
    around,
    json: line.subarray(Buffer.byteLength(head), line.length - Buffer.byteLength(tail)),
    count: result.evidence.length,
    surfaces: surfacesOf(result.evidence),
  })
}

/** One for all results: V8 has a table for each object with a getter of its own. */
const parsedEvidence = {
  enumerable: true,
  get(this: CheckFinished): readonly Evidence[] {
    const known = unread.get(this)!
    known.parsed ??= JSON.parse(known.json.toString()) as readonly Evidence[]
    return known.parsed
  },
}

function lazy(known: UnreadEvidence): CheckFinished {
  const result = Object.defineProperty({ ...known.bare }, 'evidence', parsedEvidence)
  unread.set(result, known)
  return result
}

/** The evidence of a result as JSON: in UTF-8 where it was not parsed. */
export const evidenceJson = (result: CheckFinished): string | Buffer =>
  unread.get(result)?.json ?? JSON.stringify(result.evidence)

/** The number of observations of a result. */
export const evidenceCount = (result: CheckFinished): number =>
  unread.get(result)?.count ?? result.evidence.length

/** The number of surfaces on which a check saw something. */
export const evidenceSurfaces = (result: CheckFinished): number =>
  unread.get(result)?.surfaces ?? surfacesOf(result.evidence)

/** The result without its evidence. */
export const withoutEvidence = (result: CheckFinished): CheckFinished =>
  unread.get(result)?.bare ?? { ...result, evidence: [] }

/** A result as a line of a log. */
export function resultLine(result: CheckFinished): LinePieces {
  const known = unread.get(result)
  if (known === undefined) return [JSON.stringify(result)]
  return [known.around.head, known.json, known.around.tail]
}

/** Only evidence has a number of this name: headers are texts. */
const times = /([{,]"at":)(-?\d[\d.eE+-]*)/g

/** The result with its times shifted by a number of milliseconds. */
export function shiftResult(result: CheckFinished, ms: number): CheckFinished {
  if (ms === 0) return result
  const at = result.at + ms
  const known = unread.get(result)
  if (known === undefined)
    return {
      ...result,
      at,
      evidence: result.evidence.map((seen) => ({ ...seen, at: seen.at + ms })),
    }
  const text = known.json
    .toString()
    .replace(times, (_, name, time) => `${name}${Number(time) + ms}`)
  const bare = { ...known.bare, at }
  const { count, surfaces } = known
  return lazy({ bare, around: aroundOf(bare), json: Buffer.from(text), count, surfaces })
}
