import type { Body, Every, Literal, SomeIn, SomeVars, Term, TermLiteral, Var, With } from './ast.ts'
import { CompositeParser } from './composites.ts'
import type { TokenKind } from './tokens.ts'

const NO_WITHS: readonly With[] = []

/** Parses the literals of a body: terms and their modifiers, `some`, `every`, `not`. */
export abstract class LiteralParser extends CompositeParser {
  /** Literals up to `close`, which is not consumed; separated by line ends or `;`. */
  protected body(close: TokenKind, other: TokenKind = close): Body {
    this.enter()
    const literals: Literal[] = []
    if (this.at(close)) this.fail('found empty body', this.token.start)
    for (;;) {
      if (close !== 'eof' && this.at('eof')) this.unexpected(`expected \\n or ; or ${close}`)
      literals.push(this.literal())
      if (this.at(close) || this.at(other)) break
      // A separator: nothing may be missing before or after it.
      if (!this.accept(';') && !this.token.newline) this.unexpected(`expected \\n or ; or ${close}`)
    }
    return this.leave(literals)
  }

  protected literal(): Literal {
    this.enter()
    const { start } = this.token
    if (this.at('some')) return this.leave(this.some())
    if (this.at('every')) return this.leave(this.every())
    const negated = this.accept('not')
    if (negated && (this.at('some') || this.at('every') || this.at('not'))) this.unexpected()
    const term = this.statement()
    const withs = this.withs()
    const literal: TermLiteral = { kind: 'term', term, negated, withs, span: this.span(start) }
    return this.leave(literal)
  }

  /** A term, or two terms with `=` or `:=` between them. */
  private statement(): Term {
    const left = this.expression(true)
    const token = this.token
    if (token.kind !== '=' && token.kind !== ':=') return left
    this.advance()
    const right = this.expression(true)
    const name = token.kind === '=' ? 'eq' : 'assign'
    return this.call(name, [left, right], token.kind, token.start, left.span.start)
  }

  private withs(): With[] {
    const withs: With[] = []
    while (this.at('with')) {
      const { start } = this.advance()
      const target = this.primary()
      if (target.kind !== 'var' && target.kind !== 'ref') {
        this.fail('expected with target', target.span.start)
      }
      this.expect('as')
      const value = this.expression(false)
      withs.push({ target, value, span: this.span(start) })
    }
    return withs
  }

  private some(): SomeVars | SomeIn {
    const { start } = this.expect('some')
    const terms = [this.expression(true)]
    const first = terms[0] as Term
    if (first.kind === 'call' && first.infix === 'in') {
      const [a, b, c] = first.args as readonly [Term, Term, Term | undefined]
      const [key, value, domain] = c === undefined ? [undefined, a, b] : [a, b, c]
      const withs = this.withs()
      const span = this.span(start)
      return { kind: 'someIn', key, value, domain, negated: false, withs, span }
    }
    while (this.accept(',')) terms.push(this.expression(false))
    const vars = terms.map((term) => {
      if (term.kind === 'var') return term
      return this.fail('unexpected term: expected var', term.span.start)
    })
    if (this.at('with')) this.unexpected()
    return { kind: 'some', vars, negated: false, withs: NO_WITHS, span: this.span(start) }
  }

  private every(): Every {
    const { start } = this.expect('every')
    const first = this.everyVar()
    const second = this.accept(',') ? this.everyVar() : undefined
    if (!this.accept('in')) this.unexpected('expected `x[, y] in xs { ... }` expression')
    const domain = this.everyDomain()
    if (!this.at('{')) this.unexpected('missing body')
    this.expect('{')
    const body = this.body('}')
    this.expect('}')
    const withs = this.withs()
    const [key, value] = second === undefined ? [undefined, first] : [first, second]
    const span = this.span(start)
    return { kind: 'every', key, value, domain, body, negated: false, withs, span }
  }

  private everyVar(): Var {
    if (!this.at('identifier') && !this.at('contains'))
      this.unexpected('expected `x[, y] in xs { ... }` expression')
    return this.variable()
  }

  private everyDomain(): Term {
    return this.expression(false)
  }
}
