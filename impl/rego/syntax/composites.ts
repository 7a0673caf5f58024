import type { Body, Literal, Template, Term } from './ast.ts'
import { TermParser } from './terms.ts'
import type { TokenKind } from './tokens.ts'

/**
 * Maximum number of times that a source may be parsed a second time in another way; nested, each
 * doubles the work.
 */
const MAX_RETREATS = 100

/** Terms in brackets and braces, and templates. */
export abstract class CompositeParser extends TermParser {
  private retreats = 0

  protected abstract literal(): Literal

  protected override array(): Term {
    const { start } = this.expect('[')
    if (this.accept(']')) return { kind: 'array', items: [], span: this.span(start) }
    const first = this.primary()
    if (this.at('|')) {
      const body = this.comprehensionBody(']', start)
      const span = this.span(start)
      if (body !== undefined) return { kind: 'arrayComprehension', head: first, body, span }
    }
    const items = this.rest(this.continued(first), ']')
    return { kind: 'array', items, span: this.span(start) }
  }

  /** `first`, already parsed, and the following items up to `close`. */
  private rest(first: Term, close: TokenKind): Term[] {
    if (this.accept(close)) return [first]
    if (!this.accept(',')) {
      this.unexpected(close === '}' ? 'non-terminated set' : `expected "," or "${close}"`)
    }
    return [first, ...this.list(close)]
  }

  /** The expression that begins with an already parsed primary term. */
  private continued(first: Term): Term {
    this.enter()
    return this.leave(this.membership(this.climb(first, 1), false))
  }

  /** The rest of a comprehension, or undefined if `|` is the operator, as in `[x | y, 5]`. */
  private comprehensionBody(close: TokenKind, start: number): Body | undefined {
    const saved = this.save()
    this.expect('|')
    const body = this.body(close, ',')
    if (this.accept(close)) return body
    if (++this.retreats > MAX_RETREATS) this.fail('expression is too ambiguous', start)
    this.restore(saved)
    return undefined
  }

  protected override braces(): Term {
    const { start } = this.expect('{')
    if (this.accept('}')) return { kind: 'object', entries: [], span: this.span(start) }
    const first = this.primary()
    if (this.at('|')) {
      const body = this.comprehensionBody('}', start)
      const span = this.span(start)
      if (body !== undefined) return { kind: 'setComprehension', head: first, body, span }
    }
    const key = this.continued(first)
    if (!this.accept(':')) {
      const items = this.rest(key, '}')
      return { kind: 'set', items, span: this.span(start) }
    }
    const value = this.primary()
    if (this.at('|')) {
      const body = this.comprehensionBody('}', start)
      const span = this.span(start)
      if (body !== undefined) return { kind: 'objectComprehension', key, value, body, span }
    }
    const entries: [Term, Term][] = [[key, this.continued(value)]]
    while (!this.accept('}')) {
      if (!this.accept(',')) this.unexpected('non-terminated object')
      if (this.accept('}')) break
      const next = this.expression(false)
      this.expect(':')
      entries.push([next, this.expression(false)])
    }
    return { kind: 'object', entries, span: this.span(start) }
  }

  protected override template(): Template {
    const { start } = this.expect('template')
    const parts: (string | Literal)[] = []
    for (;;) {
      const text = this.expect('templateText').value as string
      if (text !== '') parts.push(text)
      if (this.accept('templateEnd')) break
      this.expect('templateOpen')
      const { start: at } = this.token
      const part = this.literal()
      const isTerm = part.kind === 'term' && !part.negated
      if (!isTerm || (part.term.kind === 'call' && /^:?=$/.test(part.term.infix ?? ''))) {
        this.fail('unexpected statement in template string: expected term', at)
      }
      parts.push(part)
      this.expect('templateClose')
    }
    return { kind: 'template', parts, span: this.span(start) }
  }
}
