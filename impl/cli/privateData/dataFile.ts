import { LineCounter, type Node, parseDocument } from 'yaml'
import { CommandError } from '../commandDefinition.ts'
import { readBytes } from '../policy/inputFiles.ts'

/** A JSON object that is to be sealed. Errors about it name places, and repeat nothing of it. */
export type DataFile = {
  readonly path: string
  /** As in the file. */
  readonly bytes: Uint8Array
  readonly value: Readonly<Record<string, unknown>>
  /** The error for a member by its path. */
  readonly refuse: (
    path: readonly (string | number)[],
    problem: string,
    hint: string,
  ) => CommandError
}

/**
 * Reads a file of data that is to be sealed: a JSON object in which no name occurs twice.
 *
 * @param most bytes
 * @throws CommandError, exit code 1 for a file that is malformed; with the place, without the content
 */
export async function readDataFile(path: string, most: number): Promise<DataFile> {
  if (/^\s*[{[]/.test(path))
    throw new CommandError('private data is not accepted on the command line', {
      hint: "The shell's history and other users would see it. Put it into a file, and name the file.",
    })
  const bytes = await readBytes(path, most)
  const refused = (place: string, problem: string, hint: string) =>
    new CommandError(`${place} ${problem}`, { hint: `${hint} Nothing was sealed.`, exitCode: 1 })
  const text = textOf(bytes)
  if (text === undefined)
    throw refused(path, 'is not UTF-8 text', 'Private data is a JSON object in UTF-8.')
  const value = jsonOf(text)
  const lines = new LineCounter()
  // A file of JSON is one of YAML, whose parser keeps the places.
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${path}:${line}:${col}`
  }
  if (value === undefined)
    throw refused(at(endOfJson(text)), 'is not JSON', 'The error is there or just before.')
  const twice = document.errors.find(({ code }) => code === 'DUPLICATE_KEY')
  if (twice !== undefined)
    throw refused(at(twice.pos[0]), 'has a name twice', 'Which of them counts is not defined.')
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refused(`${path}:1:1`, 'is not a JSON object', 'Policies read its members by name.')
  return {
    ...{ path, bytes, value: value as Readonly<Record<string, unknown>> },
    refuse(member, problem, hint) {
      const node = document.getIn(member, true) as Node | undefined
      return refused(at(node?.range?.[0] ?? 0), problem, hint)
    },
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Undefined for a text that is not JSON: the message of the parser would quote it. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * How many characters can begin a JSON text. A text that is only cut fails at its end; the search finds the longest
 * part that does not fail earlier.
 */
function endOfJson(text: string): number {
  let [good, bad] = [0, text.length + 1]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (canContinue(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return Math.min(good, text.length)
}

function canContinue(part: string): boolean {
  try {
    JSON.parse(part)
    return true
  } catch (error) {
    const { message } = error as Error
    const [, position] = / at position (\d+)/.exec(message) ?? []
    return /end of JSON input|Unterminated/.test(message) || Number(position) >= part.length
  }
}
