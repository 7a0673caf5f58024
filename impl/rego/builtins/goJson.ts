import { bytesIn, textOf } from './bytes.ts'

/**
 * Why Go's decoder rejects a text as JSON. Called after a parser has failed; it only looks for the
 * first byte that Go would not accept.
 */

/**
 * The reason, in Go's words; undefined for what only the other parser rejects. With `token`, what
 * follows the document is read as one more token, as OPA does for `json.unmarshal`.
 */
export function goJsonError(text: string, { token = true } = {}): string | undefined {
  // A character for each byte, as Go names them.
  const scanner = new Scanner(characters(bytesIn(text)))
  try {
    scanner.document(token)
    return undefined
  } catch (error) {
    if (error instanceof Unexpected) return error.message
    throw error
  }
}

function characters(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

class Unexpected extends Error {}

const SPACE = /[ \t\r\n]*/y
const DIGITS = /[0-9]*/y
const LITERALS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' }

/** A byte as Go's `quoteChar` shows it. */
function quoteChar(char: string): string {
  if (char === "'") return "'\\''"
  if (char === '"') return `'"'`
  const code = char.charCodeAt(0)
  const short = { 7: 'a', 8: 'b', 9: 't', 10: 'n', 11: 'v', 12: 'f', 13: 'r', 92: '\\' }[code]
  if (short !== undefined) return `'\\${short}'`
  if (code < 32 || code === 127) return `'\\x${code.toString(16).padStart(2, '0')}'`
  // Latin-1 controls, the soft hyphen and the no-break space are not printable.
  const isHidden = (code >= 128 && code <= 160) || code === 173
  return isHidden ? `'\\u${code.toString(16).padStart(4, '0')}'` : `'${char}'`
}

class Scanner {
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  document(readsToken: boolean): void {
    this.skip()
    if (this.at === this.text.length) throw new Unexpected('EOF')
    // Containers that are open; a loop, because texts nest deeper than the stack.
    const open: ('{' | '[')[] = []
    for (;;) {
      if (this.opens(open)) continue
      if (this.closes(open)) break
    }
    this.skip()
    const from = this.at
    const char = this.text[from]
    if (char === undefined) return
    if (!readsToken) this.fail('after top-level value')
    // OPA asks the decoder for one more token, and shows it.
    if (char === '{' || char === '[') this.at++
    else this.scalar(char)
    const token = textOf(
      Uint8Array.from(this.text.slice(from, this.at), (byte) => byte.charCodeAt(0)),
    )
    const shown = char === 't' || char === 'f' ? `%!s(bool=${token})` : token.replace(/^"|"$/g, '')
    throw new Unexpected(`error: invalid character '${shown}' after top-level value`)
  }

  /** Reads a value; true if it is a container that has members. */
  private opens(open: ('{' | '[')[]): boolean {
    this.skip()
    const char = this.text[this.at]
    if (char === '{' || char === '[') {
      this.at++
      this.skip()
      if (this.text[this.at] === (char === '{' ? '}' : ']')) {
        this.at++
        return false
      }
      open.push(char)
      if (char === '{') this.key()
      return true
    }
    this.scalar(char)
    return false
  }

  private scalar(char: string | undefined): void {
    if (char === '"') this.string()
    else if (char !== undefined && /[-0-9]/.test(char)) this.number()
    else if (char !== undefined && LITERALS[char] !== undefined) this.literal(LITERALS[char])
    else this.fail('looking for beginning of value')
  }

  /** Reads what follows a value; true at the end of the document. */
  private closes(open: ('{' | '[')[]): boolean {
    for (;;) {
      const container = open.at(-1)
      if (container === undefined) return true
      this.skip()
      const char = this.text[this.at]
      const isObject = container === '{'
      if (char === ',') {
        this.at++
        this.skip()
        if (isObject) this.key()
        return false
      }
      if (char !== (isObject ? '}' : ']')) {
        this.fail(isObject ? 'after object key:value pair' : 'after array element')
      }
      this.at++
      open.pop()
    }
  }

  private key(): void {
    if (this.text[this.at] !== '"') this.fail('looking for beginning of object key string')
    this.string()
    this.skip()
    if (this.text[this.at] !== ':') this.fail('after object key')
    this.at++
  }

  private string(): void {
    this.at++
    for (;;) {
      const char = this.text[this.at]
      if (char === '"') break
      if (char === undefined || char < ' ') this.fail('in string literal')
      this.at++
      if (char === '\\') this.escape()
    }
    this.at++
  }

  private escape(): void {
    if (!/["\\/bfnrtu]/.test(this.text[this.at] ?? '')) this.fail('in string escape code')
    if (this.text[this.at++] !== 'u') return
    for (let i = 0; i < 4; i++, this.at++) {
      if (!/[0-9a-fA-F]/.test(this.text[this.at] ?? '')) {
        this.fail('in \\u hexadecimal character escape')
      }
    }
  }

  private number(): void {
    if (this.text[this.at] === '-') this.at++
    if (this.text[this.at] === '0') this.at++
    else this.digits('in numeric literal')
    if (this.text[this.at] === '.') {
      this.at++
      this.digits('after decimal point in numeric literal')
    }
    if (!/[eE]/.test(this.text[this.at] ?? '')) return
    this.at++
    if (/[+-]/.test(this.text[this.at] ?? '')) this.at++
    this.digits('in exponent of numeric literal')
  }

  private digits(context: string): void {
    if (!/[0-9]/.test(this.text[this.at] ?? '')) this.fail(context)
    DIGITS.lastIndex = this.at
    this.at += DIGITS.exec(this.text)?.[0].length ?? 0
  }

  private literal(word: string): void {
    for (const expected of word) {
      if (this.text[this.at] !== expected) {
        this.fail(`in literal ${word} (expecting ${quoteChar(expected)})`)
      }
      this.at++
    }
  }

  private skip(): void {
    SPACE.lastIndex = this.at
    this.at += SPACE.exec(this.text)?.[0].length ?? 0
  }

  private fail(context: string): never {
    const char = this.text[this.at]
    throw new Unexpected(
      char === undefined ? 'unexpected EOF' : `invalid character ${quoteChar(char)} ${context}`,
    )
  }
}
