import type { Source, Span } from '../syntax/source.ts'
import type { Token, TokenKind } from '../syntax/tokens.ts'

const CLOSERS: Partial<Record<TokenKind, TokenKind>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  templateOpen: 'templateClose',
}
const OPENERS: ReadonlySet<TokenKind> = new Set(Object.values(CLOSERS))

/** What may stand before the parenthesis of a call, without a space. */
const CALLED: ReadonlySet<TokenKind> = new Set<TokenKind>(['identifier', 'contains', ']', ')'])

/** Where the author wrote what the syntax tree does not have: rows, parentheses, closing brackets. */
export class Places {
  private readonly source: Source
  private readonly tokens: readonly Token[]
  /** Template strings, whose text is written as it is, with the comments in it. */
  private readonly templates: { readonly start: number; end: number }[] = []
  /** Where the lines begin. */
  private readonly lines: readonly number[]
  /** The token that closes each opening one, and the reverse, by index. */
  private readonly partner = new Map<number, number>()

  constructor(source: Source, tokens: readonly Token[]) {
    this.source = source
    this.tokens = tokens
    this.lines = [0, ...Array.from(source.text.matchAll(/\n/g), ({ index }) => index + 1)]
    const open: number[] = []
    let depth = 0
    tokens.forEach(({ kind, start, end }, i) => {
      if (kind === 'template' && depth++ === 0) this.templates.push({ start, end })
      const template = this.templates.at(-1)
      if (kind === 'templateEnd' && --depth === 0 && template !== undefined) template.end = end
      if (CLOSERS[kind] !== undefined) open.push(i)
      else if (OPENERS.has(kind)) {
        const opener = open.pop()
        if (opener !== undefined) this.partner.set(opener, i)
      }
    })
  }

  row(offset: number): number {
    let low = 0
    let high = this.lines.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.lines[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }

  isInTemplate(offset: number): boolean {
    return this.templates.some(({ start, end }) => offset >= start && offset < end)
  }

  /** Whether nothing but space precedes the offset on its line. */
  beginsLine(offset: number): boolean {
    const start = this.source.text.lastIndexOf('\n', offset - 1) + 1
    return this.source.text.slice(start, offset).trim() === ''
  }

  /** Whether what begins at an offset, within its parentheses, is a negative number. */
  isNegative(offset: number): boolean {
    let at = this.indexAt(offset)
    while (this.tokens[at]?.kind === '(') at++
    return this.tokens[at]?.kind === '-'
  }

  /** The offset of the bracket that closes the one at an offset. */
  closing(open: number): number | undefined {
    const close = this.partner.get(this.indexAt(open))
    return close === undefined ? undefined : (this.tokens[close] as Token).start
  }

  /** The offset of the token before an offset, without empty statements, if it is of a kind. */
  opener(kind: TokenKind, offset: number): number | undefined {
    let at = this.indexAt(offset) - 1
    while (this.tokens[at]?.kind === ';') at--
    const token = this.tokens[at]
    return token?.kind === kind ? token.start : undefined
  }

  /**
   * Whether the text of a term begins with a parenthesis: around the term itself, or around its first
   * operand. Its span has no parentheses.
   */
  beginsWithParenthesis({ start, end }: Span): boolean {
    const at = this.indexAt(start)
    const open = this.tokens[at - 1]
    if (open?.kind !== '(') return false
    const name = this.tokens[at - 2]
    if (name !== undefined && name.end === open.start && CALLED.has(name.kind)) return false
    const close = this.partner.get(at - 1)
    if (close === undefined) return false
    const closing = (this.tokens[close] as Token).start
    return closing < end || this.indexAt(end) === close
  }

  /** The index of the first token at or after an offset. */
  private indexAt(offset: number): number {
    let low = 0
    let high = this.tokens.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.tokens[middle] as Token).start < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}
