import type { CheckFinished, Evidence } from './events.ts'

/**
 * Results whose evidence is still the text of the log. A run has megabytes of it, which commands that
 * only pass it on need not parse.
 */
const unread = new WeakMap<CheckFinished, UnreadEvidence>()

type UnreadEvidence = {
  /** The result without its evidence. */
  readonly bare: CheckFinished
  readonly text: string
  readonly count: number
}

/** The members around the evidence, as `JSON.stringify` writes them. In a string a quote follows a backslash. */
const begin = ',"evidence":['
const end = '],"evidenceDropped":'
const empty = ',"evidence":[]'

/** The evidence in the line of a passed check, as JSON; undefined where the line is unusual. */
export function evidenceIn(line: string): string | undefined {
  const from = line.indexOf(begin)
  const to = line.indexOf(end, from)
  const usual =
    from !== -1 && to !== -1 && !line.includes(begin, from + 1) && !line.includes('"failedCase":')
  return usual ? line.slice(from + begin.length - 1, to + 1) : undefined
}

/**
 * The result with evidence that is parsed when it is first read.
 *
 * @param bare the result without its evidence
 * @param text the evidence as JSON, which must be valid
 * @param count its number of observations
 */
export function withEvidenceText(bare: CheckFinished, text: string, count: number): CheckFinished {
  let parsed: readonly Evidence[] | undefined
  const result = Object.defineProperty({ ...bare }, 'evidence', {
    enumerable: true,
    get: () => {
      parsed ??= JSON.parse(text) as readonly Evidence[]
      return parsed
    },
  })
  unread.set(result, { bare, text, count })
  return result
}

/** The evidence of a result as JSON. */
export const evidenceText = (result: CheckFinished): string =>
  unread.get(result)?.text ?? JSON.stringify(result.evidence)

/** The number of observations of a result. */
export const evidenceCount = (result: CheckFinished): number =>
  unread.get(result)?.count ?? result.evidence.length

/** The evidence as JSON where it was not parsed. */
export const unreadEvidence = (result: CheckFinished): string | undefined =>
  unread.get(result)?.text

/** The result without its evidence. */
export const withoutEvidence = (result: CheckFinished): CheckFinished =>
  unread.get(result)?.bare ?? { ...result, evidence: [] }

/** A result as a line of a log. */
export function resultLine(result: CheckFinished): string {
  const known = unread.get(result)
  if (known === undefined) return JSON.stringify(result)
  const bare = JSON.stringify(known.bare)
  const at = bare.indexOf(empty)
  return `${bare.slice(0, at)}${begin.slice(0, -1)}${known.text}${bare.slice(at + empty.length)}`
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
  const text = known.text.replace(times, (_, name, time) => `${name}${Number(time) + ms}`)
  return withEvidenceText({ ...known.bare, at }, text, known.count)
}
