import { type Location, RegoError } from '../errors.ts'
import { type Source, Span } from './source.ts'
import { describe, isKeyword, type Token, type TokenKind } from './tokens.ts'

/** Maximum nesting of terms and bodies, so that no stage overflows. */
export const MAX_NESTING = 200

/**
 * Maximum length of a chain of operators without parentheses, whose tree is as deep as it is long.
 */
export const MAX_CHAIN = 1_000

/** A position in the list of tokens. */
export class Cursor {
  readonly source: Source
  private readonly tokens: readonly Token[]
  private index = 0
  protected depth = 0

  constructor(source: Source, tokens: readonly Token[]) {
    this.source = source
    this.tokens = tokens
  }

  protected get token(): Token {
    return this.tokens[this.index] as Token
  }

  protected peek(ahead = 1): Token {
    return this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)] as Token
  }

  protected at(kind: TokenKind): boolean {
    return this.token.kind === kind
  }

  /** The offset after the last consumed token. */
  protected get lastEnd(): number {
    return this.index === 0 ? 0 : (this.tokens[this.index - 1] as Token).end
  }

  /** Whether the current token follows the last one without a space. */
  protected get adjacent(): boolean {
    return this.token.start === this.lastEnd
  }

  protected advance(): Token {
    const token = this.token
    if (this.index < this.tokens.length - 1) this.index++
    return token
  }

  protected accept(kind: TokenKind): boolean {
    if (!this.at(kind)) return false
    this.advance()
    return true
  }

  protected expect(kind: TokenKind): Token {
    if (!this.at(kind)) this.unexpected(`expected ${kind}`)
    return this.advance()
  }

  protected identifier(): string {
    return this.text(this.expect('identifier'))
  }

  protected text(token: Token): string {
    return this.source.text.slice(token.start, token.end)
  }

  protected span(start: number): Span {
    return new Span(this.source, start, Math.max(start, this.lastEnd))
  }

  protected save(): number {
    return this.index
  }

  protected restore(index: number): void {
    this.index = index
  }

  /** Enters a nesting level, up to `leave`. A caller that catches an error must restore `depth`. */
  protected enter(): void {
    if (++this.depth > MAX_NESTING) {
      this.fail(`nested deeper than ${MAX_NESTING} levels`, this.token.start)
    }
  }

  /** Leaves a level and returns its argument. */
  protected leave<T>(parsed: T): T {
    this.depth--
    return parsed
  }

  protected unexpected(expected?: string): never {
    const { kind, start } = this.token
    const hint = expected === undefined || isKeyword(kind) ? '' : `: ${expected}`
    this.fail(`unexpected ${describe(kind)}${hint}`, start)
  }

  protected fail(message: string, offset: number): never {
    throw new RegoError('rego_parse_error', message, { location: this.source.locate(offset) })
  }

  protected failAt(message: string, location: Location): never {
    throw new RegoError('rego_parse_error', message, { location })
  }
}
