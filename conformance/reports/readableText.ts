import { readable, readablePair } from '../core/shorten.ts'
import { type DiffLine, structuralDiff } from './structuralDiff.ts'

/** Characters of one value, title or reason in a report for people; JSON reports have all of them. */
const longestValue = 240
const longestTitle = 160
const longestReason = 400

export const readableTitle = (title: string): string => readable(title, longestTitle)

export const readableReason = (reason: string | undefined): string =>
  readable(reason ?? 'no reason given', longestReason)

export const readableValue = (text: string): string => readable(text, longestValue)

/** Two values, shortened so that what differs still differs. */
export const readablePairOf = (a: string, b: string): readonly [string, string] =>
  readablePair(a, b, longestValue)

/** The line that it is compared with, if the next one is: the same path, observed. */
function counterpart(line: DiffLine, next: DiffLine | undefined): DiffLine | undefined {
  return line.sign === '-' && next?.sign === '+' && next.path === line.path ? next : undefined
}

/** The comparison with long values shortened, so that what differs still differs. */
export function readableDiff(expected: string, observed: string): readonly DiffLine[] {
  const lines = structuralDiff(expected, observed)
  const out: DiffLine[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    const other = counterpart(line, lines[i + 1])
    if (other === undefined) out.push({ ...line, text: readableValue(line.text) })
    else {
      const [first, second] = readablePairOf(line.text, other.text)
      out.push({ ...line, text: first }, { ...other, text: second })
      i++
    }
  }
  return out
}

/** Expected and observed, shortened in the same way. */
export function readableValues(
  expected: string,
  observed: string,
): { readonly expected: string; readonly observed: string } {
  const [first, second] = readablePair(expected, observed, longestReason)
  return { expected: first, observed: second }
}
