import { LimitError, RegoError } from '../errors.ts'
import { parseNumber } from '../values/number.ts'
import type { Comment } from './ast.ts'
import { type Source, Span } from './source.ts'
import { readEscape } from './strings.ts'
import { isKeyword, type Punctuation, type Token, type TokenKind } from './tokens.ts'

/** Punctuation by character code: alone, and followed by `=`. */
const ONE: readonly (Punctuation | undefined)[] = byCode('[]{}(),:;.+-*/%&|=<>', '')
const TWO: readonly (Punctuation | undefined)[] = byCode(':=!<>', '=')

function byCode(chars: string, rest: string): (Punctuation | undefined)[] {
  const table: (Punctuation | undefined)[] = new Array(128).fill(undefined)
  for (const char of chars) table[char.charCodeAt(0)] = `${char}${rest}` as Punctuation
  return table
}

const NUMBER = /\d*(?:\.\d+|(?<=\d))(?:[eE][+-]?\d+)?/y

const isLetter = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95 /* _ */

const isDigit = (c: number): boolean => c >= 48 && c <= 57

type Lexed = { readonly tokens: readonly Token[]; readonly comments: readonly Comment[] }

/** Splits a source into tokens and comments. @throws RegoError rego_parse_error */
export const lex = (source: Source): Lexed => new Lexer(source).run()

class Lexer {
  private readonly source: Source
  private readonly text: string
  private readonly tokens: Token[] = []
  private readonly comments: Comment[] = []
  /** For each open template expression: its quote, and the number of open braces inside it. */
  private readonly templates: { quote: string; braces: number }[] = []
  private at = 0
  private newline = false

  constructor(source: Source) {
    this.source = source
    this.text = source.text
  }

  run(): Lexed {
    if (this.text.charCodeAt(0) === 0xfeff) this.at = 1
    while (this.at < this.text.length) {
      const c = this.text.charCodeAt(this.at)
      if (c === 32 || c === 9 || c === 13) this.at++
      else this.next(c)
    }
    if (this.templates.length > 0) this.fail('non-terminated string', this.at)
    this.push('eof', this.at, this.at)
    return { tokens: this.tokens, comments: this.comments }
  }

  private next(c: number): void {
    if (c === 10) {
      this.newline = true
      this.at++
    } else if (isLetter(c)) {
      this.identifier()
    } else if (isDigit(c) || (c === 46 /* . */ && isDigit(this.text.charCodeAt(this.at + 1)))) {
      this.number()
    } else if (c === 34 /* " */) {
      this.string()
    } else if (c === 96 /* ` */) {
      this.rawString()
    } else if (c === 35 /* # */) {
      this.comment()
    } else if (c === 36 /* $ */) {
      this.template()
    } else {
      this.punctuation(c)
    }
  }

  private push(kind: TokenKind, start: number, end: number, value?: Token['value']): void {
    const newline = this.newline
    this.newline = false
    this.at = end
    // One shape for all tokens, for the performance of the parser.
    this.tokens.push({ kind, start, end, newline, value })
  }

  private identifier(): void {
    const start = this.at
    let end = start + 1
    let c = this.text.charCodeAt(end)
    while (isLetter(c) || isDigit(c)) c = this.text.charCodeAt(++end)
    const word = this.text.slice(start, end)
    // `in.foo`, `if.foo`: a keyword followed by a dot and a name is the head of a reference.
    const head = c === 46 /* . */ && isLetter(this.text.charCodeAt(end + 1))
    this.push(isKeyword(word) && !head ? word : 'identifier', start, end)
  }

  private number(): void {
    const start = this.at
    NUMBER.lastIndex = start
    const lexeme = NUMBER.exec(this.text)?.[0] ?? ''
    const end = start + lexeme.length
    const after = this.text.charCodeAt(end)
    if (after === 46 /* . */ && !lexeme.includes('.')) this.fail('expected fraction', start)
    if (after === 101 || after === 69 /* e, E */) this.fail('expected exponent', start)
    if (isLetter(after)) this.fail('illegal number format', start)
    if (/^00/.test(lexeme)) this.fail('expected number', start)
    try {
      // As JSON: `01` is 1, `.5` is 0.5.
      const value = parseNumber(lexeme.replace(/^0(?=\d)/, '').replace(/^(?=\.)/, '0'))
      if (value === undefined) this.fail('illegal number format', start)
      this.push('number', start, end, value)
    } catch (error) {
      if (error instanceof RegoError && !(error instanceof LimitError)) throw error
      this.fail('number is out of range', start)
    }
  }

  private string(): void {
    const start = this.at
    const parts: string[] = []
    let at = start + 1
    let from = at
    for (;;) {
      const c = this.text.charCodeAt(at)
      if (c === 34) break
      if (Number.isNaN(c) || c === 10) this.fail('non-terminated string', start)
      if (c < 32) this.fail('illegal control character in string', at)
      if (c === 92 /* \ */) {
        const escaped = readEscape(this.text, at)
        if (escaped === undefined) this.fail('illegal escape sequence', at)
        parts.push(this.text.slice(from, at), escaped.text)
        at = escaped.end
        from = at
      } else {
        at++
      }
    }
    parts.push(this.text.slice(from, at))
    this.push('string', start, at + 1, parts.join(''))
  }

  private rawString(): void {
    const start = this.at
    const end = this.text.indexOf('`', start + 1)
    if (end < 0) this.fail('non-terminated string', start)
    this.push('string', start, end + 1, this.text.slice(start + 1, end))
  }

  private comment(): void {
    const start = this.at
    const lineEnd = this.text.indexOf('\n', start)
    const end = lineEnd < 0 ? this.text.length : lineEnd
    const text = this.text.slice(start + 1, end).replace(/\r$/, '')
    this.comments.push({ text, span: new Span(this.source, start, end) })
    this.at = end
  }

  private template(): void {
    const quote = this.text[this.at + 1]
    if (quote !== '"' && quote !== '`') this.fail('illegal token', this.at)
    this.push('template', this.at, this.at + 2)
    this.templateText(quote)
  }

  /** The text of a template up to its end or its next expression. */
  private templateText(quote: string): void {
    const start = this.at
    const parts: string[] = []
    let at = start
    let from = at
    for (;;) {
      const c = this.text[at]
      if (c === undefined || (c === '\n' && quote === '"')) {
        this.fail('non-terminated string', start)
      }
      if (c === quote || c === '{') break
      if (c === '\\' && this.text[at + 1] === '{') {
        parts.push(this.text.slice(from, at), '{')
        at += 2
        from = at
      } else if (c === '\\' && quote === '"') {
        const escaped = readEscape(this.text, at)
        if (escaped === undefined) this.fail('illegal escape sequence', at)
        parts.push(this.text.slice(from, at), escaped.text)
        at = escaped.end
        from = at
      } else {
        at++
      }
    }
    parts.push(this.text.slice(from, at))
    this.push('templateText', start, at, parts.join(''))
    if (this.text[at] === quote) {
      this.push('templateEnd', at, at + 1)
    } else {
      this.templates.push({ quote, braces: 0 })
      this.push('templateOpen', at, at + 1)
    }
  }

  private punctuation(c: number): void {
    const start = this.at
    const two = this.text.charCodeAt(start + 1) === 61 /* = */ ? TWO[c] : undefined
    if (two !== undefined) {
      this.push(two, start, start + 2)
      return
    }
    const one = ONE[c]
    if (one === undefined) this.fail('illegal token', start)
    const template = this.templates.at(-1)
    if (template !== undefined) {
      if (one === '{') template.braces++
      if (one === '}' && template.braces-- === 0) {
        this.templates.pop()
        this.push('templateClose', start, start + 1)
        this.templateText(template.quote)
        return
      }
    }
    this.push(one, start, start + 1)
  }

  private fail(message: string, at: number): never {
    throw new RegoError('rego_parse_error', message, { location: this.source.locate(at) })
  }
}
