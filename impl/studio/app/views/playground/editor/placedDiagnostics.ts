import type { Diagnostic as Placed } from '@codemirror/lint'
import type { EditorState } from '@codemirror/state'
import type { Diagnostic } from '../../../../playground/evaluation.ts'

/** Errors at their places in a text; without a place, or of an older text, at its first line. */
export const placedDiagnostics = (
  { doc }: Pick<EditorState, 'doc'>,
  diagnostics: readonly Diagnostic[],
): Placed[] =>
  diagnostics.map(({ message, row, col = 1, endRow, endCol }) => {
    const offset = (atRow: number, atCol: number): number => {
      const line = doc.line(Math.min(Math.max(atRow, 1), doc.lines))
      return Math.min(line.from + Math.max(atCol - 1, 0), line.to)
    }
    const from = row === undefined ? 0 : offset(row, col)
    const until = endRow === undefined || endCol === undefined ? 0 : offset(endRow, endCol)
    return { from, to: until > from ? until : doc.lineAt(from).to, severity: 'error', message }
  })
