import { stripVTControlCharacters } from 'node:util'

const lengthOf = (text: string): number => stripVTControlCharacters(text).length

/** Indentation, a first column, and the gap behind it. */
const firstColumn = /^(\s*)(\S.*?)(\s{2,})(?=\S)/

/**
 * Breaks lines at spaces so that they fit a width. A line in columns continues below its last column
 * where that leaves half of the width, else below the first one; any other line that is indented continues
 * two columns further right. Words, such as URLs and ids, are never broken, and colours do not count.
 *
 * @param width in columns; undefined leaves the text as it is, for output that no terminal shows
 */
export const wrapText = (text: string, width: number | undefined): string =>
  width === undefined
    ? text
    : text
        .split('\n')
        .map((line) => (lengthOf(line) <= width ? line : wrapLine(line, width)))
        .join('\n')

function wrapLine(line: string, width: number): string {
  const [, indent = '', first = '', gap = ''] = firstColumn.exec(line) ?? []
  const column = lengthOf(indent + first + gap)
  if (first === '') {
    const own = /^\s*/.exec(line)![0].slice(0, Math.floor(width / 2))
    return filled(line.trimStart(), own, own === '' ? '' : `${own}  `, width)
  }
  const rest = line.slice((indent + first + gap).length)
  // Further columns of a short first one, such as a state and a name.
  if (column <= width / 2) {
    const after = firstColumn.exec(rest)
    const next = after === null ? 0 : column + lengthOf(after[0])
    const head =
      next > 0 && next <= width / 2
        ? line.slice(0, line.length - rest.length) + after![0]
        : indent + first + gap
    return filled(line.slice(head.length), head, ' '.repeat(lengthOf(head)), width)
  }
  const below = `${indent.slice(0, Math.floor(width / 4))}    `
  return [filled(first, indent, below, width), wrapText(`${below}${rest}`, width)].join('\n')
}

function filled(text: string, begin: string, below: string, width: number): string {
  const lines: string[] = []
  let line = begin
  let empty = true
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const long = lengthOf(line) + (empty ? 0 : 1) + lengthOf(word) > width
    if (long && (!empty || line.trim() !== '')) {
      lines.push(line.trimEnd())
      line = below
      empty = true
    }
    line += empty ? word : ` ${word}`
    empty = false
  }
  return [...lines, line].join('\n')
}
