import type { Location, RegoError } from '../errors.ts'
import { Source } from '../syntax/source.ts'

/** Data for displaying an error: the lines, the position and a suggestion. */
export type Frame = {
  /** `rego_type_error: undefined function foo`, without detail lines. */
  readonly title: string
  readonly details: readonly string[]
  readonly location: Location | undefined
  /** The lines to show; the last one contains the error. */
  readonly lines: readonly { readonly row: number; readonly text: string }[]
  /** Spaces before the caret, and number of carets. */
  readonly caret: { readonly indent: number; readonly length: number } | undefined
  readonly help: string | undefined
}

/** Number of characters shown around the error. */
const WIDTH = 160

/** The frame of an error; `sourceOf` returns the text of a file, if known. */
export function frameOf(
  error: RegoError,
  sourceOf: (file: string) => string | undefined,
  help?: string,
): Frame {
  const [title = '', ...details] = error.message.split('\n').map((line) => line.replace(/^\t+/, ''))
  const base = { title: `${error.code}: ${title}`, details, location: error.location, help }
  const text = error.location === undefined ? undefined : sourceOf(error.location.file)
  if (error.location === undefined || text === undefined) {
    return { ...base, lines: [], caret: undefined }
  }
  const { row, col } = error.location
  const source = new Source(error.location.file, text)
  const line = source.line(row)
  // Columns count characters, but a caret is positioned by screen columns.
  const before = [...line].slice(0, col - 1).join('')
  const shift = Math.max(0, before.length - WIDTH / 2)
  const shown = line.slice(shift, shift + WIDTH)
  const indent = before.length - shift
  const previous = row > 1 ? source.line(row - 1) : ''
  return {
    ...base,
    lines: [
      ...(previous.trim() === '' ? [] : [{ row: row - 1, text: previous.slice(0, WIDTH) }]),
      { row, text: expandTabs(shown) },
    ],
    caret: {
      indent: expandTabs(shown.slice(0, indent)).length,
      length: tokenLength(shown.slice(indent)),
    },
  }
}

const expandTabs = (text: string): string => text.replaceAll('\t', '    ')

/** A name with its dots, a string, or one character. */
export const tokenLength = (text: string): number =>
  /^(?:[\p{L}_][\w.]*|"(?:[^"\\]|\\.)*"|\d[\w.]*|[:=!<>]=)/u.exec(text)?.[0].length ?? 1

/** Colours of the parts of a frame; each function may return its text unchanged. */
export type Paint = {
  readonly error: (text: string) => string
  readonly dim: (text: string) => string
  readonly help: (text: string) => string
}

export const PLAIN: Paint = { error: (text) => text, dim: (text) => text, help: (text) => text }

/** The frame as lines for a terminal. */
export function frameLines(frame: Frame, paint: Paint = PLAIN): readonly string[] {
  const { title, details, location, lines, caret, help } = frame
  const rows: string[] = [paint.error(title)]
  const width = Math.max(0, ...lines.map(({ row }) => String(row).length))
  const gutter = ' '.repeat(width)
  if (location !== undefined) {
    rows.push(paint.dim(`${gutter}--> ${location.file}:${location.row}:${location.col}`))
  }
  for (const { row, text } of lines) {
    rows.push(`${paint.dim(`${String(row).padStart(width)} |`)} ${expandTabs(text)}`)
  }
  if (caret !== undefined) {
    const mark = `${' '.repeat(caret.indent)}${paint.error('^'.repeat(caret.length))}`
    rows.push(`${paint.dim(`${gutter} |`)} ${mark}`)
  }
  for (const detail of details) rows.push(`${gutter}   ${detail}`)
  if (help !== undefined) rows.push(`${gutter} ${paint.help('help:')} ${help}`)
  return rows
}
