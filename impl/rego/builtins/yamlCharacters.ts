import { Lexer } from 'yaml'
import { BuiltinError } from '../errors.ts'

/** What Go's package reads; other characters are an error anywhere in a document. */
const NOT_READABLE = /[^\t\n\r -~\x85\xa0-\ufffd]/

/** Bytes that are not UTF-8 are lone surrogates here. */
const NOT_UTF8 = /[\ud800-\udfff]/u

/**
 * Refuses what Go's package refuses and the parser here reads: control characters, and a tab in block style where a
 * token could begin a key, as at the beginning of a line, or within the indentation of a text block.
 *
 * @throws BuiltinError
 */
export function checkCharacters(text: string): void {
  if (NOT_READABLE.test(text)) throw new BuiltinError('yaml: control characters are not allowed')
  if (NOT_UTF8.test(text)) throw new BuiltinError('yaml: invalid leading UTF-8 octet')
  if (!text.includes('\t')) return
  let depth = 0
  /** Whether a key may begin here, in block style. */
  let mayBeKey = true
  let isBlock = false
  let isText = false
  for (const token of new Lexer().lex(text)) {
    if (isText) {
      if (isBlock && hasTabInIndentation(token))
        throw new BuiltinError('yaml: found a tab character where an indentation space is expected')
      ;[isText, isBlock, mayBeKey] = [false, false, false]
      continue
    }
    switch (token[0]) {
      case '\x1f':
        isText = true
        break
      case '\x02':
      case '\n':
      case '\r':
      case '-':
      case '?':
        mayBeKey = token !== '---'
        break
      case ' ':
      case '\t':
        if (depth === 0 && mayBeKey && !isBlock && token.includes('\t'))
          throw new BuiltinError('yaml: found character that cannot start any token')
        break
      case '|':
      case '>':
        // A digit tells the indentation, which may be anything then.
        isBlock = !/\d/.test(token)
        break
      case '[':
      case '{':
        depth += 1
        break
      case ']':
      case '}':
        depth = Math.max(0, depth - 1)
        mayBeKey = false
        break
      case '#':
      case ',':
      // After `?` a value may begin with a key, after a key not.
      case ':':
        break
      default:
        mayBeKey = false
    }
  }
}

/** Of a text block whose indentation its first line with text tells. */
function hasTabInIndentation(block: string): boolean {
  let indent: number | undefined
  for (const line of block.split('\n')) {
    const spaces = /^ */.exec(line)![0].length
    if (line[spaces] === '\t' && (indent === undefined || spaces < indent)) return true
    if (indent === undefined && line.length > spaces) indent = spaces
  }
  return false
}
