import type { Body, Every, Literal, SomeIn, SomeVars, With } from '../syntax/ast.ts'
import { TermWriter } from './termWriter.ts'

/** Writes the literals of bodies. */
export abstract class LiteralWriter extends TermWriter {
  /**
   * One literal per line, with the blank lines that the author left between them.
   *
   * @param isOfRule behind the brace of a rule, which could also be that of a set
   */
  protected body(body: Body, isOfRule = false): void {
    const [first] = body
    if (first !== undefined) this.commentsTo(this.row(first.span.start))
    body.forEach((literal, i) => {
      const before = body[i - 1]
      const gap = before === undefined ? 0 : this.row(literal.span.start) - this.endRow(before)
      if (gap > 1) this.blankLine()
      this.startLine()
      this.literal(literal, isOfRule && i === 0)
      const next = body[i + 1]
      // On the next line, `-1 == x` would continue this one.
      if (next !== undefined && this.places.isNegative(next.span.start)) this.write(';')
      this.endLine()
    })
  }

  private endRow({ span }: Literal): number {
    return this.row(Math.max(span.start, span.end - 1))
  }

  protected override innerBody(body: Body, start: number, close: number | undefined): void {
    const places = body.map(({ span }) => ({ at: span.start }))
    const isBelow = this.row(places[0]?.at ?? start) > this.row(start)
    if (isBelow || this.grouped(places, start).length > 1) {
      this.endLine()
      this.up()
      this.body(body)
      if (close !== undefined) this.commentsTo(this.row(close))
      this.down()
      this.startLine()
      return
    }
    body.forEach((literal, i) => {
      this.write(i === 0 ? ' ' : '; ')
      this.literal(literal)
    })
    if (close !== undefined) this.commentsTo(this.row(close))
  }

  protected literal(literal: Literal, isFirst = false): void {
    this.commentsTo(this.row(literal.span.start))
    this.resumeLine()
    if (literal.negated) this.write('not ')
    switch (literal.kind) {
      case 'some':
        this.someVars(literal)
        break
      case 'someIn':
        this.someIn(literal)
        break
      case 'every':
        this.every(literal)
        break
      case 'term':
        if (literal.term.kind === 'call')
          this.statementCall(literal.term, isFirst && !literal.negated)
        else this.term(literal.term)
    }
    this.withs(literal.withs)
  }

  /** The first modifier stays on the line; others are below it where the author began a line. */
  private withs(withs: readonly With[]): void {
    let isIndented = false
    withs.forEach(({ target, value, span }, i) => {
      const row = this.row(span.start)
      const before = withs[i - 1]
      const isBelow = before !== undefined && row !== this.row(before.span.start)
      if (isBelow) {
        if (!isIndented) this.up()
        isIndented = true
        this.endLine()
        this.startLine()
      }
      this.commentsTo(row)
      this.write(isBelow ? 'with ' : ' with ')
      this.term(target)
      this.write(' as ')
      this.term(value)
    })
    if (isIndented) this.down()
  }

  private someVars({ vars, span }: SomeVars): void {
    this.write('some ')
    let row = this.row(span.start)
    vars.forEach((each, i) => {
      const own = this.row(each.span.start)
      if (own > row) {
        this.endLine()
        this.startLine()
        this.indent()
      } else if (i > 0) {
        this.write(' ')
      }
      row = Math.max(row, own)
      this.term(each)
      if (i < vars.length - 1) this.write(',')
    })
  }

  private someIn({ key, value, domain }: SomeIn): void {
    this.write('some ')
    if (key !== undefined) {
      this.term(key, { parentheses: true })
      this.write(', ')
    }
    this.term(value, { parentheses: true })
    this.write(' in ')
    this.term(domain, { parentheses: true })
  }

  private every({ key, value, domain, body, span }: Every): void {
    this.write('every ')
    if (key !== undefined) {
      this.term(key)
      this.write(', ')
    }
    this.term(value)
    this.write(' in ')
    this.term(domain, { parentheses: domain.kind === 'call' && domain.infix === 'in' })
    this.write(' {')
    const [first] = body
    const start = first?.span.start ?? span.start
    const open = this.places.opener('{', start)
    this.innerBody(body, span.start, open === undefined ? undefined : this.places.closing(open))
    if (body.length === 1 && this.row(start) === this.row(span.start)) this.write(' ')
    this.write('}')
  }
}
