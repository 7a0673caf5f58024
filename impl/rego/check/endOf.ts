import type { Location } from '../errors.ts'
import { tokenLength } from '../report/frame.ts'
import type { Source } from '../syntax/source.ts'

/** The place behind the word at a location; undefined if there is none, as at the end of a line. */
export function endOf(
  source: Source,
  { row, col }: Location,
): { readonly row: number; readonly col: number } | undefined {
  const before = [...source.line(row)].slice(0, col - 1).join('')
  const rest = source.line(row).slice(before.length)
  if (rest === '') return undefined
  return { row, col: col + [...rest.slice(0, tokenLength(rest))].length }
}
