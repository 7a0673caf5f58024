import { LimitError } from '../errors.ts'
import { parseNumber } from './number.ts'
import { RegoObject } from './object.ts'
import { MAX_DEPTH, type Scalar, type Value } from './value.ts'
import { wellFormed } from './wellFormed.ts'
import { parseWritten } from './writtenNumber.ts'

/** Invalid JSON text. */
export class JsonError extends Error {
  override readonly name: string = 'JsonError'
}

const QUOTE = 34
const BACKSLASH = 92
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** The characters that JSON writes with a backslash and one letter. */
export const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/**
 * Parses JSON text in one pass: integers are exact, the last of repeated members wins, lone
 * surrogates become U+FFFD. With `written`, integers keep a fraction or an exponent that they were
 * written with.
 *
 * @throws JsonError if it is not one JSON document
 * @throws LimitError beyond the depth of values or the length of numbers
 */
export function parseJson(text: string, { written = false } = {}): Value {
  const parser = new Parser(wellFormed(text), written ? parseWritten : parseNumber)
  const value = parser.value(0)
  parser.end()
  return value
}

class Parser {
  position = 0
  private readonly text: string
  private readonly parseNumber: (text: string) => Value | undefined
  /** Equal member names share one string. */
  private readonly names = new Map<string, string>()

  constructor(text: string, parseNumber: (text: string) => Value | undefined) {
    this.text = text
    this.parseNumber = parseNumber
  }

  value(depth: number): Value {
    if (depth > MAX_DEPTH) throw new LimitError(`JSON nests deeper than ${MAX_DEPTH} levels`)
    this.skip()
    switch (this.text[this.position]) {
      case '{':
        return this.object(depth)
      case '[':
        return this.array(depth)
      case '"':
        return this.string()
      case 't':
        return this.word('true', true)
      case 'f':
        return this.word('false', false)
      case 'n':
        return this.word('null', null)
      default:
        return this.number()
    }
  }

  end(): void {
    this.skip()
    if (this.position < this.text.length) throw this.unexpected()
  }

  private skip(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.position)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return
      this.position++
    }
  }

  private unexpected(): JsonError {
    const char = this.text.codePointAt(this.position)
    return new JsonError(
      char === undefined
        ? 'unexpected end of JSON input'
        : `invalid character ${JSON.stringify(String.fromCodePoint(char))} at offset ${this.position}`,
    )
  }

  private word<T extends Value>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.position)) throw this.unexpected()
    this.position += word.length
    return value
  }

  private number(): Value {
    NUMBER.lastIndex = this.position
    const match = NUMBER.exec(this.text)
    const value = match === null ? undefined : this.parseNumber(match[0])
    if (match === null || value === undefined) throw this.unexpected()
    this.position += match[0].length
    return value
  }

  private array(depth: number): Value {
    this.position++
    const items: Value[] = []
    this.skip()
    if (this.take(']')) return items
    for (;;) {
      items.push(this.value(depth + 1))
      this.skip()
      if (this.take(']')) return items
      if (!this.take(',')) throw this.unexpected()
    }
  }

  private object(depth: number): Value {
    this.position++
    const members = new Map<Scalar, Value>()
    this.skip()
    if (this.take('}')) return new RegoObject(members)
    for (;;) {
      this.skip()
      if (this.text.charCodeAt(this.position) !== QUOTE) throw this.unexpected()
      const name = this.intern(this.string())
      this.skip()
      if (!this.take(':')) throw this.unexpected()
      members.set(name, this.value(depth + 1))
      this.skip()
      if (this.take('}')) return new RegoObject(members)
      if (!this.take(',')) throw this.unexpected()
    }
  }

  private take(char: string): boolean {
    if (this.text[this.position] !== char) return false
    this.position++
    return true
  }

  private intern(name: string): string {
    const known = this.names.get(name)
    if (known !== undefined) return known
    this.names.set(name, name)
    return name
  }

  private string(): string {
    const start = ++this.position
    for (;;) {
      const code = this.text.charCodeAt(this.position)
      if (code === QUOTE) return this.text.slice(start, this.position++)
      if (code === BACKSLASH) return this.escaped(start)
      if (!(code >= 32)) throw this.unexpected()
      this.position++
    }
  }

  /** A string with escapes, from the position of the first one. */
  private escaped(start: number): string {
    const parts = [this.text.slice(start, this.position)]
    for (;;) {
      const code = this.text.charCodeAt(this.position)
      if (code === QUOTE) {
        this.position++
        return wellFormed(parts.join(''))
      }
      if (code === BACKSLASH) {
        parts.push(this.escape())
        continue
      }
      if (!(code >= 32)) throw this.unexpected()
      const from = this.position
      do this.position++
      while (plain(this.text.charCodeAt(this.position)))
      parts.push(this.text.slice(from, this.position))
    }
  }

  private escape(): string {
    const kind = this.text[++this.position] ?? ''
    if (kind === 'u') {
      const hex = this.text.slice(this.position + 1, this.position + 5)
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.unexpected()
      this.position += 5
      return String.fromCharCode(Number.parseInt(hex, 16))
    }
    const char = kind === '' ? undefined : ESCAPES[kind]
    if (char === undefined) throw this.unexpected()
    this.position++
    return char
  }
}

const plain = (code: number): boolean => code >= 32 && code !== QUOTE && code !== BACKSLASH
